/** Clusters, containers and virtual machines. */

import { VerbTable } from "./rows.ts";

export const CLUSTERS = new VerbTable(`
kubectl: pass delete pod|pods|po|job|jobs * -n|--namespace, delete po|pod|pods|job|jobs *;
  deny delete ns|namespace|namespaces|project|projects|pv|pvc|persistentvolume*|crd|crds|customresourcedefinition*,
    delete node|nodes|no|sts|statefulset|statefulsets|all|storageclass*|sc, delete --all|--all-namespaces|-A;
  ask delete, drain, replace --force, apply --prune, scale --replicas=0;
  short nsovl;
  first kubectl delete … --dry-run=server
k: = kubectl
oc: = kubectl
helm: ask uninstall|delete|del|un|rollback; short n; first helm uninstall --dry-run …
helmfile: ask destroy|delete; first helmfile diff
argocd: deny app|appset delete -y|--yes; ask app|proj|cluster|repo delete|rm; first argocd app get …
flux: ask uninstall, delete; first flux get all
istioctl: ask uninstall, x uninstall; first istioctl analyze
velero: deny backup delete, delete backup; first velero backup get
kubeadm: deny reset; first kubeadm reset --dry-run
talosctl: deny reset; first talosctl etcd snapshot …
eksctl: rented; first eksctl get cluster
kops: rented; first kops delete cluster … (without --yes it only shows)
minikube: ask delete; first minikube stop
kind: ask delete; first kind get clusters
k3d: ask cluster delete; first k3d cluster stop
nomad: deny job stop -purge, stop -purge; ask job stop, namespace delete; first nomad job status
docker: deny volume rm|remove|prune, system prune --volumes, system reset, machine rm|reset;
  ask system prune, compose down|rm -v|--volumes, compose ** down|rm -v|--volumes, ** down -v|--volumes,
    down|rm|remove -v|--volumes, container rm -v|--volumes, image prune -a|--all, rmi =$(, rm =$(, swarm leave,
    stack|service|secret|node rm|remove;
  short Hc;
  first docker volume ls
virsh: deny vol-delete|vol-wipe|pool-delete; ask destroy|undefine; first virsh shutdown …
vboxmanage: ask unregistervm --delete*, closemedium --delete, snapshot * delete; first VBoxManage export …
limactl: ask delete|remove|rm; first limactl stop …
colima: ask delete; first colima stop
multipass: ask delete|purge; first multipass stop …
lxc: ask delete|rm, ** delete; first lxc stop …; lxc snapshot …
qm: deny destroy; first qm shutdown …
pct: deny destroy; first pct shutdown …
vagrant: ask destroy; first vagrant halt
`);
