/** Clouds and provisioning tools: resources deleted by their command lines are wiped at once. */

import { VerbTable } from "./rows.ts";

export const CLOUDS = new VerbTable(`
aws: deny s3 rb, s3 rm --recursive, s3 sync --delete, s3api delete-bucket|delete-objects,
    ec2 terminate-instances|delete-volume|delete-snapshot|delete-vpc,
    * delete-db-*|delete-stack|delete-stack-set|delete-table|delete-cluster|delete-file-system|delete-log-group|delete-vault,
    * delete-secret|delete-hosted-zone|delete-user-pool|delete-organization|delete-backup*|delete-repository|delete-domain,
    * delete-replication-group|delete-cache-cluster|delete-recovery-point|delete-stream|delete-queue|delete-key*|delete-archive,
    * schedule-key-deletion|batch-delete-*|close-account|delete-global-*|delete-keyspace|delete-file-cache|deregister-image;
  ask s3api put-bucket-lifecycle*|put-bucket-policy|put-public-access-block|put-bucket-acl, * modify-* --backup-retention-period,
    autoscaling|ecs|lambda update-* --max-size|--desired-capacity|--desired-count|--min-size, * put-key-policy|stop-logging,
    * delete-*|terminate-*|remove-*|purge-*|deregister-*|disable-*|revoke-*|detach-*, s3 rm;
  first aws s3 rm --dryrun … / aws ec2 … --dry-run
gcloud: deny projects delete, secrets delete, ** versions destroy, storage rm -r|-R|--recursive,
    ** storage rm -r|-R|--recursive,
    ** projects|instances|clusters|databases|buckets|disks|snapshots|secrets|keys|backups|tables|images delete;
  ask ** delete|reset|remove-iam-policy-binding|destroy|purge, storage rm;
  first gcloud … list, gcloud … describe
gsutil: deny rb, rm -r|-R, rm -m, rsync -d; ask rm; first gsutil ls -r gs://…
az: deny group|vm|aks|sql|cosmosdb|keyvault|disk|snapshot|webapp|functionapp|postgres|mysql|redis|acr ** delete|purge,
    group|vm|aks|cosmosdb|keyvault|disk|snapshot|webapp|functionapp|redis|acr delete|purge,
    storage account|container|share|table|queue delete, storage ** delete-batch, ad ** delete;
  ask ** delete|purge;
  short ongls;
  first az … list, az … show
bq: deny rm -r|--recursive, rm -f|--force, rm; first bq ls; bq cp dataset.table dataset.table_backup
doctl: rented; first doctl … list
linode-cli: rented; first linode-cli … list
hcloud: rented; first hcloud … list
vultr-cli: rented; first vultr-cli … list
scw: rented; first scw … list
oci: rented; first oci … list
ibmcloud: rented; first ibmcloud resource service-instances
s3cmd: deny rb, del|rm -r|--recursive, sync --delete-removed; ask del|rm|expire; first s3cmd ls -r
s5cmd: deny rb, rm =*; ask rm, sync --delete; first s5cmd ls
mc: deny rb, rm -r|--recursive, mirror --remove; ask rm, admin ** remove; first mc ls -r; mc rm --fake …
b2: deny delete-bucket, bucket delete, rm -r|--recursive; ask delete-*, rm; first b2 ls -r
terraform: confirms;
  deny destroy -auto-approve|--auto-approve|-force, apply -destroy|--destroy -auto-approve|--auto-approve,
    run-all destroy, run destroy -all|--all;
  ask destroy, apply -destroy|--destroy, apply -auto-approve|--auto-approve, state rm|push|replace-provider,
    force-unlock, workspace delete;
  first terraform plan -destroy
pulumi: confirms;
  deny destroy|down|dn -y|--yes|--skip-preview|-f, up|update --destroy -y|--yes, stack rm -y|--yes|-f|--force;
  ask destroy|down|dn, stack rm, state delete, up|update --target-replace|--replace;
  short sC;
  first pulumi preview --destroy
cdk: confirms; deny destroy -f|--force; ask destroy; first cdk list; cdk diff
sam: confirms; deny delete --no-prompts; ask delete; first sam list resources
serverless: deny remove --force; ask remove; first serverless info
sst: ask remove; first sst diff
copilot: confirms; deny ** delete --yes; ask ** delete; first copilot app show
eb: confirms; deny terminate --force; ask terminate; first eb status
amplify: deny delete --force; ask delete, ** remove; first amplify status
`);
