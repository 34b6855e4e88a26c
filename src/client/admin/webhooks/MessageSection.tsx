import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Empty } from '#client/admin/kit/SettingsFrame.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import type { MessageList, MessageState, WebhookEndpoint, WebhookMessage } from '#shared/admin/webhooks.ts';
import { messageCopy as copy } from '#client/admin/webhooks/copy.ts';
import { MessageFilters } from './MessageFilters.tsx';
import { MessageTable } from './MessageTable.tsx';
import { ReplaySinceDialog } from './ReplaySinceDialog.tsx';
import { AttemptsDialog } from './AttemptsDialog.tsx';

interface Filter {
  endpointId?: string;
  state?: MessageState;
}

const lookAgainMs = 5_000;

/** While something is queued the page is looked at again. */
function untilOver({ state: { data } }: { state: { data: MessageList | undefined } }): number | false {
  return data?.messages.some(({ state }) => state === 'queued') === true ? lookAgainMs : false;
}

function useMessages(input: Filter & { before?: number }) {
  const isKnown = adminApi.useUtils().events.messages.getData(input) !== undefined;
  return adminApi.events.messages.useQuery(input, {
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
    refetchInterval: untilOver,
    // Looked at again, nobody asks.
    trpc: { context: { isBackground: isKnown } },
  });
}

/** What was sent or is to be, newest first, a page at a time. */
export function MessageSection({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const [filter, setFilter] = useState<Filter>({});
  /** Where each page begins; the first has no beginning. */
  const [begins, setBegins] = useState<readonly number[]>([]);
  const [shown, setShown] = useState<WebhookMessage | null>(null);
  const [isReplaying, setIsReplaying] = useState(false);
  const before = begins.at(-1);
  const page = useMessages({ ...filter, ...(before === undefined ? {} : { before }) });
  const next = page.data?.next ?? null;
  return (
    <Section>
      <SmallTitle as="h2">{copy.list}</SmallTitle>
      <MessageFilters
        endpoints={endpoints}
        filter={filter}
        onChoose={(chosen) => {
          setFilter(chosen);
          setBegins([]);
        }}
      >
        <Button
          variant="secondary"
          size="small"
          disabled={endpoints.every(({ state }) => state === 'off')}
          onClick={() => setIsReplaying(true)}
        >
          {copy.replaySince}
        </Button>
      </MessageFilters>
      <LoadFailure error={page.error} fallback={copy.loadFailed} onRetry={() => void page.refetch()} />
      {page.data?.messages.length === 0 ? <Empty>{copy.empty}</Empty> : null}
      {page.data === undefined || page.data.messages.length === 0 ? null : (
        <MessageTable
          messages={page.data.messages}
          endpoints={endpoints}
          isBusy={page.isFetching}
          onShow={setShown}
        />
      )}
      <Paging aria-label={copy.paging}>
        <Button
          variant="secondary"
          size="small"
          disabled={begins.length === 0}
          onClick={() => setBegins(begins.slice(0, -1))}
        >
          {copy.newer}
        </Button>
        <p>{copy.kept}</p>
        <Button
          variant="secondary"
          size="small"
          disabled={next === null}
          onClick={() => (next === null ? undefined : setBegins([...begins, next]))}
        >
          {copy.older}
        </Button>
      </Paging>
      <AttemptsDialog message={shown} onClose={() => setShown(null)} />
      <ReplaySinceDialog
        open={isReplaying}
        endpoints={endpoints}
        endpointId={filter.endpointId}
        onClose={() => setIsReplaying(false)}
      />
    </Section>
  );
}

const Section = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
  margin-block-start: 2rem;
`;

const Paging = styled.nav`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem;
  color: ${token.muted};
  font-size: 0.875rem;
`;
