import { useMutation } from '@tanstack/react-query';
import { ApiError, toApiError } from '#client/api/trpc.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { exportsBusyHeader } from '#shared/admin/staff.ts';
import { reportFailure } from './reports.ts';

const texts = adminMessages.exportFile;

/**
 * Downloads a file after the server has confirmed that it would send it: a refused link would show nothing. A refusal
 * is reported in a toast. Without a session, the sign-in page is shown, as after any call.
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

/** Requests a file like a link. If the response is no file, the download fails and the page stays open. */
function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
