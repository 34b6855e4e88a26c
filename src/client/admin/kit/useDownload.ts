import { useMutation } from '@tanstack/react-query';
import { ApiError, toApiError } from '#client/api/trpc.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { exportsBusyHeader } from '#shared/admin/exportsBusyHeader.ts';
import { reportFailure } from './reports.ts';

const texts = adminMessages.exportFile;

/**
 * Downloads a file once the server has said that it would send it: what a link is refused shows nowhere. A refusal is said in a toast; a session
 * that is over closes the gate, as with any call.
 */
export function useDownload(): (href: string) => void {
  const { mutate } = useMutation({
    mutationFn: expectFile,
    onSuccess: (_, href) => startDownload(href),
    onError: (error) => {
      if (toApiError(error).status !== 401) reportFailure(error, texts.failed);
    },
  });
  return mutate;
}

async function expectFile(href: string): Promise<void> {
  const { ok, status, statusText, headers } = await fetch(href, { method: 'HEAD' });
  if (ok) return;
  const isBusy = headers.has(exportsBusyHeader);
  throw new ApiError(status, isBusy ? JSON.stringify({ error: texts.busy }) : statusText);
}

/** Asks for a file as a link would. What isn't a file fails as a download and the page stays open. */
function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
