/**
 * File systems on which a journal may not live, because appends by two machines or kernels can overwrite each other.
 */
import { statfsSync } from "node:fs";

/** The `f_type` of statfs(2). Unusual local ones are not listed (overlay, tmpfs, btrfs, zfs, ecryptfs). */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
  [0x6a656a63, "virtiofs"],
  [0x786f4256, "VirtualBox shared folder"],
  [0xbacbacbc, "VMware shared folder"],
  [0x7c7c6673, "Parallels shared folder"],
  [0x5346414f, "AFS"],
  [0x6b414653, "kAFS"],
  [0x73757245, "Coda"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x19830326, "BeeGFS"],
  [0x013111a8, "IBRIX"],
  [0xaad7aaea, "PanFS"],
  [0x0187, "autofs"],
  [0x564c, "NetWare"],
]);

export type FileSystemTypeOf = (directory: string) => number;

export const fileSystemTypeOf: FileSystemTypeOf = (directory) => statfsSync(directory).type;

/** The name of a shared file system, or undefined for a local one. Some kernels sign-extend the type. */
export function sharedFileSystem(type: number): string | undefined {
  return SHARED.get(type >>> 0);
}
