/** A file that is written while it is sent. */
export interface ExportFile {
  name: string;
  /** Leaving early ends what is read for it; a failure of the database is thrown. */
  chunks: AsyncGenerator<string | Buffer, void>;
}
