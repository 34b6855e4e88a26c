import { useId, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import { failureText, reportDone } from '#client/admin/kit/reports.ts';
import { Alert } from '#client/ui/Alert.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { describeControl, FieldFrame } from '#client/ui/Field.tsx';
import { type SyncRunOutcome, pushBytesMax } from '#shared/admin/sync.ts';
import { syncedColumns } from '#shared/providers/providerFieldLists.ts';
import { RunDetail } from './SyncDialog.tsx';
import { uploadCopy as copy } from './copy.ts';

/** The header row of a file with all columns. A byte order mark says that it is in UTF-8. */
const template = `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${['wordpress_id', ...syncedColumns].join(',')}\r\n`)}`;

interface Upload {
  fileName: string;
  /** In base64. */
  content: string;
}

/** Reads a file without knowing its encoding, which the server detects. */
function readFile(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve(typeof reader.result === 'string' ? (reader.result.split(',')[1] ?? '') : '');
    reader.onerror = () => reject(reader.error ?? new Error(copy.unreadable));
    reader.readAsDataURL(file);
  });
}

/** Imports providers from a CSV file, after a preview of what it would change. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const [upload, setUpload] = useState<Upload | null>(null);
  const [outcome, setOutcome] = useState<SyncRunOutcome | null>(null);
  const [fault, setFault] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { mutateAsync, isPending } = adminApi.admin.ownProviders.upload.useMutation();
  const id = useId();

  async function run(chosen: Upload, options: { dryRun: boolean; force: boolean }): Promise<void> {
    setFault('');
    try {
      const done = await mutateAsync({ ...chosen, ...options });
      if (done.success && !options.dryRun) {
        reportDone(copy.done);
        setUpload(null);
        if (input.current !== null) input.current.value = '';
        input.current?.focus();
      }
      setOutcome(done);
      if (!done.success) setFault(done.error);
    } catch (error) {
      setFault(failureText(error, copy.failed));
    }
  }

  async function choose(file: File | undefined): Promise<void> {
    setUpload(null);
    setOutcome(null);
    setFault('');
    if (file === undefined) return;
    if (file.size > pushBytesMax) {
      setFault(copy.tooLarge);
      return;
    }
    try {
      const chosen = { fileName: file.name, content: await readFile(file) };
      setUpload(chosen);
      await run(chosen, { dryRun: true, force: false });
    } catch {
      setFault(copy.unreadable);
    }
  }

  const frame = { id: `${id}-file`, label: copy.file, hint: copy.hint };
  // The guard stopped the import itself: only then may staff import past it.
  const wasStopped = outcome?.run?.outcome === 'refused';
  const canImport = upload !== null && outcome?.run?.dryRun === true && outcome.success;
  return (
    <Dialog open onClose={onClose} title={copy.title}>
      <Stack $gap="1.25rem">
        <p>{copy.intro}</p>
        <div>
          <a href={template} download="providers.csv">
            {copy.template}
          </a>
        </div>
        <FieldFrame {...frame} className={undefined}>
          <FileInput
            {...describeControl(frame)}
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </FieldFrame>
        <output>{isPending ? copy.busy : ''}</output>
        {fault === '' ? null : <Alert title={copy.problem} message={fault} />}
        {canImport || (wasStopped && upload !== null) ? (
          <Row>
            {canImport ? (
              <ActionButton
                variant="primary"
                isBusy={isPending}
                onClick={() => void run(upload, { dryRun: false, force: false })}
              >
                {copy.start}
              </ActionButton>
            ) : (
              <ActionButton
                isBusy={isPending}
                onClick={() => void run(upload, { dryRun: false, force: true })}
              >
                {copy.force}
              </ActionButton>
            )}
          </Row>
        ) : null}
        {outcome?.success === true ? <RunDetail id={outcome.run.id} /> : null}
      </Stack>
    </Dialog>
  );
}

const FileInput = styled.input`
  max-inline-size: 100%;
  min-block-size: 2.75rem;
  padding-block: 0.5rem;
  font: inherit;
`;
