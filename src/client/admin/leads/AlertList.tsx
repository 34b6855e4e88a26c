import { useId } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { MutedFigures, Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { alertsCopy as copy, alertTitles } from '#shared/admin/alerts.ts';

interface AlertListProps {
  canDismiss: boolean;
  /** Moves the focus: the alert of the pressed button disappears. */
  onEnd: () => void;
}

/** Faults that aren't about one lead, the oldest first. Nothing while there is none. */
export function AlertList({ canDismiss, onEnd }: AlertListProps) {
  const listId = useId();
  const { data } = adminApi.admin.alerts.list.useQuery();
  const dismiss = adminApi.admin.alerts.dismiss.useMutation(
    withReport({
      done: copy.dismissed,
      failed: copy.dismissFailed,
      isOneLine: true,
      onDone: onEnd,
    }),
  );
  if (data === undefined || data.total === 0) return null;
  const more = data.total - data.alerts.length;
  return (
    <Stack as="ul" $gap="0.5rem" aria-label={copy.label}>
      {data.alerts.map(({ kind, subject, message, since }) => (
        <AlertItem key={`${kind} ${subject}`}>
          <Said>
            <strong>{alertTitles[kind]}</strong>{' '}
            <MutedFigures>
              <Instant iso={since} />
            </MutedFigures>
            <p id={`${listId}-${kind}-${subject}`}>{message}</p>
          </Said>
          {canDismiss && kind === 'provider-unconfirmed' && subject !== '' ? (
            <ConfirmProvider id={Number(subject)} questionId={`${listId}-${kind}-${subject}`} onEnd={onEnd} />
          ) : null}
          {canDismiss ? (
            <ActionButton
              variant="quiet"
              aria-label={copy.dismissOf(`${alertTitles[kind]} ${subject}`.trim())}
              isBusy={dismiss.isPending}
              onClick={() => dismiss.mutate({ kind, subject })}
            >
              {copy.dismiss}
            </ActionButton>
          ) : null}
        </AlertItem>
      ))}
      {more > 0 ? <AlertItem>{copy.more(more)}</AlertItem> : null}
    </Stack>
  );
}

interface ConfirmProviderProps {
  id: number;
  /** The element that says which providers may be one. */
  questionId: string;
  onEnd: () => void;
}

/** Staff say whether a provider of the sync is the one that exists only here. */
function ConfirmProvider({ id, questionId, onEnd }: ConfirmProviderProps) {
  const { failed, sameDone, anotherDone, same, another } = copy.confirm;
  const { mutate, isPending } = adminApi.admin.providers.confirm.useMutation(
    withReport({ done: (_, { isSame }) => (isSame ? sameDone : anotherDone), failed, onDone: onEnd }),
  );
  return (
    <Row as="fieldset" aria-labelledby={questionId}>
      <ActionButton isBusy={isPending} onClick={() => mutate({ id, isSame: true })}>
        {same}
      </ActionButton>
      <ActionButton isBusy={isPending} onClick={() => mutate({ id, isSame: false })}>
        {another}
      </ActionButton>
    </Row>
  );
}

const AlertItem = styled.li`
  display: flex;
  flex-wrap: wrap;
  align-items: start;
  justify-content: space-between;
  gap: 0.75rem;
  padding: 0.5rem 0.875rem;
  border: 1px solid ${token.line};
  border-inline-start: 3px solid ${token.danger};
  border-radius: ${token.radius};
  line-height: 1.4;

  p {
    overflow-wrap: anywhere;
  }
`;

const Said = styled.div`
  flex: 1 1 14rem;
  min-width: 0;
`;
