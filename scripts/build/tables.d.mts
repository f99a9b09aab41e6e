export function plainTables(code: string): string;
