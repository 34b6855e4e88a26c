import { eventsPath, heartbeatMs, liveIds } from '#shared/admin/staff.ts';

/** `live`: events arrive. `lost`: the connection was lost. `blocked`: no stream gets through, so ask instead. */
export type StreamState = 'live' | 'lost' | 'blocked';

/** What a tab learns of new leads. `gap`: some may have been missed. */
export type StreamNews = { ids: number[] } | { state: StreamState } | 'gap';

/** A proxy that holds a stream back refuses nothing. */
const silentMs = 2 * heartbeatMs;
/** After a refusal: soon, as a server that restarts is back; then rarely. */
const retryMs = 3_000;
const blockedRetryMs = 60_000;
/** Streams in a row that ended before their first event. */
const failuresMax = 2;

const name = 'new-leads';

/**
 * Listens for new leads until the returned function is called. One tab of the browser holds the stream and shares what
 * arrives; when it closes, another one takes over. A browser without these interfaces has a stream for each tab.
 */
export function followNewLeads(onNews: (news: StreamNews) => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  if (typeof BroadcastChannel === 'undefined' || !('locks' in navigator)) {
    void holdStream(onNews, signal);
    return () => stopping.abort();
  }
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<StreamNews>) => onNews(data));
  const share = (news: StreamNews): void => {
    onNews(news);
    channel.postMessage(news);
  };
  navigator.locks
    .request(name, { signal }, () => holdStream(share, signal))
    // Stopped while another tab holds the stream.
    .catch(() => undefined);
  return () => {
    stopping.abort();
    channel.close();
  };
}

/** Keeps a stream open until the signal. The browser itself reconnects one that was lost. */
function holdStream(share: (news: StreamNews) => void, signal: AbortSignal): Promise<void> {
  let source: EventSource | null = null;
  let timer: number | undefined;
  let failures = 0;

  function wait(ms: number, work: () => void): void {
    clearTimeout(timer);
    timer = window.setTimeout(work, ms);
  }

  function fail(): void {
    failures += 1;
    share({ state: failures < failuresMax ? 'lost' : 'blocked' });
  }

  function giveUp(): void {
    source?.close();
    fail();
    wait(failures < failuresMax ? retryMs : blockedRetryMs, open);
  }

  function onEvent(): void {
    if (failures > 0) share({ state: 'live' });
    failures = 0;
    wait(silentMs, giveUp);
  }

  function open(): void {
    source?.close();
    source = new EventSource(eventsPath);
    wait(silentMs, giveUp);
    source.addEventListener('leads', ({ data }: MessageEvent<string>) => {
      onEvent();
      const { ids } = liveIds.parse(JSON.parse(data));
      if (ids.length > 0) share({ ids });
    });
    source.addEventListener('gap', () => {
      onEvent();
      share('gap');
    });
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) giveUp();
      else fail();
    });
  }

  open();
  // Offline, an open connection only falls silent.
  window.addEventListener('offline', giveUp, { signal });
  window.addEventListener('online', open, { signal });
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      source?.close();
      resolve();
    });
  });
}
