import type { ExportFile } from './exportFile.ts';

/** A file of JSON text that is there whole already. */
export function jsonFile(what: string, text: string): ExportFile {
  async function* chunks(): AsyncGenerator<string, void> {
    yield await Promise.resolve(text);
  }
  return { name: `${what}.json`, chunks: chunks() };
}
