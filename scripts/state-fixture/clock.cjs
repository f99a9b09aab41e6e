/** Load it with `node --require`: it stops the clock of the process at the time in SEKISHO_FIXTURE_NOW. */
const now = Number(process.env.SEKISHO_FIXTURE_NOW);
if (!Number.isFinite(now)) throw new Error("SEKISHO_FIXTURE_NOW must be a time in milliseconds.");
const RealDate = Date;

/** `new Date()` and `Date.now()` return the fixed time; every other use of Date is unchanged. */
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now] : args));
  }
  static now() {
    return now;
  }
};
