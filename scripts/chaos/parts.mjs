/** A part that counts the same records as the state does, so both must always agree. */
export const parts = { storm: { kinds: ["action"], empty: { count: 0 }, fold: ({ count }) => ({ count: count + 1 }) } };
