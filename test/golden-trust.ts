/** The golden vectors of the specification, used by the tests of the reducers, the views and the program. */

/** TR-32: growth from 0.3 per success: the first ten values, and those from the twentieth on. */
export const GROWTH = [0.335, 0.36825, 0.39984, 0.42985, 0.45836, 0.48544, 0.51117, 0.53561, 0.55883, 0.58089];
export const GROWTH_FROM_20 = [0.74906, 0.75408, 0.759, 0.76382, 0.76854, 0.77317];

/** TR-34: days of absence, and what remains of 0.8. */
export const ABSENCE: readonly (readonly [number, number])[] = [
  [13, 0.8],
  [14, 0.8],
  [15, 0.7992],
  [30, 0.7873],
  [44, 0.7763],
  [64, 0.761],
];

/** TR-43: trust, and the autonomy at low, medium and high risk. */
export const AUTONOMY: readonly (readonly [number, number, number, number])[] = [
  [0, 0.77, 0.5, 0.27],
  [0.1, 0.793, 0.55, 0.343],
  [0.3, 0.839, 0.65, 0.489],
  [0.5, 0.885, 0.75, 0.635],
  [0.6, 0.908, 0.8, 0.708],
  [0.7, 0.931, 0.85, 0.781],
  [0.8, 0.954, 0.9, 0.854],
  [1, 1, 1, 1],
];
