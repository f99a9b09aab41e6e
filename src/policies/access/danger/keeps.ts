/** Tools that store valuable data: backups, vaults, keys, brokers, and version control other than git. */

import { VerbTable } from "./rows.ts";

export const KEEPS = new VerbTable(`
vault: deny secrets|auth disable, kv destroy, kv metadata delete;
  ask ** delete|revoke, delete|revoke, operator seal|step-down|rekey|raft;
  first vault kv get -format=json …
op: deny vault delete; ask ** delete|rm|archive; first op item get …
bw: deny delete --permanent|-p; ask delete; first bw export
pass: ask rm|remove|delete; first pass git log
gopass: ask rm|remove|delete, ** remove; first gopass show …
gpg: deny --delete-secret-k*|--delete-secret-and*;
  ask --delete-k*;
  first gpg --export-secret-keys --armor <key> > key.asc
security: deny delete-keychain;
  ask delete-generic-password|delete-internet-password|delete-certificate|delete-identity;
  first security find-generic-password …
ssh-add: ask -D; first ssh-add -l
restic: deny forget, prune, key remove; short r; first restic forget --dry-run …
borg: deny delete; ask prune, compact; first borg delete --dry-run …
kopia: deny snapshot delete, snapshot expire --delete; first kopia snapshot list
duplicity: deny remove-* --force; first duplicity collection-status …
rclone: deny purge|delete|deletefile|rmdirs; ask sync|move|moveto|bisync, cleanup; first rclone … --dry-run
etcdctl: deny del --prefix|--from-key; ask del; first etcdctl snapshot save backup.db
consul: deny kv delete -recurse|--recurse; ask kv delete, snapshot restore; first consul snapshot save backup.snap
zkcli: deny deleteall|rmr; ask delete; first zkCli.sh get …
kafka-topics: deny --delete; first kafka-topics --describe …
kafka-consumer-groups: ask --delete, --reset-offsets --execute; first kafka-consumer-groups --describe …
rabbitmqctl: deny reset|force_reset; ask delete_*|purge_*|forget_*; first rabbitmqctl export_definitions backup.json
nats: ask stream|str|s|kv|object|consumer rm|purge|delete|del; first nats stream backup …
celery: ask purge, ** purge; first celery inspect active
hg: deny update|up|checkout|co -C|--clean, revert -a|--all, purge|clean;
  ask revert, strip, rollback, debugstrip, shelve -d|--delete|--cleanup;
  first hg shelve --addremove
svn: deny revert -R|--recursive, cleanup --remove-unversioned|--remove-ignored;
  ask revert, delete|del|remove|rm =://;
  first svn diff > changes.patch
p4: deny obliterate, clean, revert =...; ask revert; first p4 shelve
bfg: ask --delete-*|--strip-*|--replace-text; first git clone --mirror . ../backup.git
tmutil: deny delete|disable|deletelocalsnapshots; first tmutil listbackups
vssadmin: deny delete|resize; first vssadmin list shadows
wbadmin: deny delete; first wbadmin get versions
wevtutil: deny cl|clear-log; first wevtutil epl …
reg: deny delete; first reg export …
bcdedit: deny /set|/delete|/deletevalue; first bcdedit /export …
diskpart: deny /s; first diskpart (list disk)
journalctl: ask --vacuum-*; first journalctl --disk-usage
conda: ask env remove; first conda env export > environment.yml
`);
