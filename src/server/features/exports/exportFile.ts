/** A file that is written while it is sent. */
export interface ExportFile {
  name: string;
  /** Ending early ends the query behind it. A failure of the database is thrown. */
  chunks: AsyncGenerator<string, void>;
}

/** `leads-2026-11-21.csv`, with the day in UTC. */
export function csvFile(what: string, now: Date, chunks: ExportFile['chunks']): ExportFile {
  return { name: `${what}-${now.toISOString().slice(0, 10)}.csv`, chunks };
}

/** A file of JSON text. */
export function jsonFile(what: string, text: string): ExportFile {
  async function* chunks(): AsyncGenerator<string, void> {
    yield await Promise.resolve(text);
  }
  return { name: `${what}.json`, chunks: chunks() };
}
