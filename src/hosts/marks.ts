/** Words that our hooks pass to the program after the event. Every host uses the same ones. */

/** Tells the program which gate was called, even when the input cannot be read. */
export const HARMLESS = "harmless";

/** Tells the daemon that a process handles this event, and that it need only remember it. */
export const WITNESS = "witness";

/** Tells the program that a daemon answers tool events and must be checked. */
export const WATCHING = "gatehouse";

/** The header that names the person's key to the daemon, as an argument does to a process. */
export const KEY_HEADER = "X-Sekisho-Key";
