/** Which tier fits a change. Its size is measured like that of a plan; only XL is a measure of pipelines alone. */
import type { Settings } from "../state/settings/settings.ts";
import { DEFAULT_TIER, type Pipeline, type Tier } from "./definition.ts";

const SIZES = ["XS", "S", "M", "L", "XL"] as const;
type SizeName = (typeof SIZES)[number];

export interface Measured {
  /** What the playbook's ladder says about the change. */
  readonly size: "free" | "S" | "M" | "L";
  /** Files that count. */
  readonly files: number;
}

export interface Proposal {
  readonly tier: string;
  /** The size that was measured, which the pipeline may have no tier for. */
  readonly size: SizeName;
}

/** A person may choose another one. */
export function proposeTier(
  { tiers }: Pick<Pipeline, "tiers">,
  { size, files }: Measured,
  { l_files }: Pick<Settings["plan"], "l_files">,
): Proposal {
  const name = files > l_files ? "XL" : size === "free" ? "XS" : size;
  return { tier: nearest(tiers, name), size: name };
}

/** The smallest tier that is large enough, or else the largest; without sizes, the only one or the first. */
function nearest(tiers: readonly Tier[], size: SizeName): string {
  const sized = SIZES.filter((one) => tiers.some(({ name }) => name === one));
  const enough = sized.find((one) => SIZES.indexOf(one) >= SIZES.indexOf(size));
  return enough ?? sized.at(-1) ?? tiers[0]?.name ?? DEFAULT_TIER;
}
