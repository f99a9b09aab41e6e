/** Hosting, code hosts and package registries: the published or hosted content. */

import { VerbTable } from "./rows.ts";

export const SERVICES = new VerbTable(`
heroku: deny apps:destroy|destroy|apps:delete|pg:reset|addons:destroy|pg:push|pg:copy;
  ask domains:remove|config:unset|ps:stop|keys:clear|members:remove;
  first heroku pg:backups:capture
fly: deny apps|app|volumes|volume|vol|pg|postgres|redis|mpg destroy|delete, destroy;
  ask ** destroy|delete|remove;
  first fly volumes snapshots create …
modal: deny volume|dict|queue|environment|nfs delete|rm -y|--yes; ask ** delete|rm, app stop; first modal volume get …
railway: deny down|delete -y|--yes, ** delete -y|--yes; ask down|delete, ** delete; first railway status
render: ask ** delete; first render services
netlify: deny sites:delete; ask env:unset, blobs:delete; first netlify sites:list
vercel: deny rm|remove -y|--yes, project|projects rm|remove; ask rm|remove, ** rm|remove; first vercel ls
wrangler: deny d1 delete, r2 bucket delete, kv namespace delete, kv:namespace delete;
  ask delete, ** delete, kv:* delete;
  first wrangler d1 export …
firebase: deny firestore:delete, database:remove, projects:delete;
  ask hosting:disable, functions:delete, *:delete;
  first firebase firestore:backups:list; gcloud firestore export gs://…
supabase: deny projects delete; ask db reset, branches delete, ** delete; first supabase db dump
neonctl: ask ** delete, branches reset; first neonctl branches create
pscale: deny database|branch delete --force; ask ** delete; first pscale database dump …
turso: deny db destroy, group destroy; first turso db shell … .dump
gh: deny repo delete;
  ask release|secret|gist|run|cache|variable|ssh-key|gpg-key|issue|label|codespace|project|extension delete|remove,
    repo archive|rename, repo edit --visibility, pr merge --admin, workflow disable, ruleset|environment|autolink delete,
    api graphql =delete;
  short R;
  first gh repo archive …
glab: deny repo|project delete; ask ** delete; short R; first glab repo archive …
npm: deny unpublish; ask owner rm, access revoke, token revoke, dist-tag|dist-tags add; first npm deprecate …
gem: deny yank; ask owner -r|--remove; first gem owner …
cargo: ask yank, owner --remove; first cargo yank --undo …
`);
