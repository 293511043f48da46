// The layout of the visible units.

export const COLUMNS = 40;
export const ROWS = 25;
