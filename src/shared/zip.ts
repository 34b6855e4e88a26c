/** `12345-6789` and ` 12345 ` become `12345`; anything that isn't a US ZIP becomes null (it is kept as typed elsewhere). */
export function zipFive(typed: string): string | null {
  return /^\s*(\d{5})(?:-?\d{4})?\s*$/.exec(typed)?.[1] ?? null;
}
