import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { DeliveriesLink } from '#client/admin/kit/DeliveriesLink.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { CircleAlert } from '#client/ui/Icon.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { providerCopy } from './copy.ts';

const copy = providerCopy.unreachable;

interface UnreachableNoticeProps {
  provider: Pick<AdminProvider, 'id' | 'name'>;
  unreachable: NonNullable<AdminProvider['unreachable']>;
  /** Whether staff may send again; after a complaint, the server asks for an owner. */
  canSend: boolean;
}

/** A provider that gets no email: why, how many people wait and since when, and the way back. */
export function UnreachableNotice({ provider, unreachable, canSend }: UnreachableNoticeProps) {
  const { cause, reason, since, acceptedAt, waiting } = unreachable;
  const { done, failed } = adminMessages.sendAgain;
  const send = adminApi.admin.providers.sendAgain.useMutation(
    withReport({ done: ({ emails }) => done(emails), failed }),
  );
  const advice = cause === null ? copy.ended : cause === 'complaint' ? copy.complaint : copy.tried;
  return (
    <Box aria-label={copy.title(unreachable)}>
      <CircleAlert />
      <div>
        <Title>{copy.title(unreachable)}</Title>
        <p>
          <Waiting unreachable={unreachable} />
        </p>
        {cause === 'bounce' && since !== null ? (
          <Reason>
            {reason} {copy.first} <Instant iso={since} />.
          </Reason>
        ) : null}
        <p>{acceptedAt === null ? advice : copy.accepted}</p>
        <Actions>
          {canSend ? (
            <ActionButton
              aria-label={copy.sendLabel(provider.name)}
              isBusy={send.isPending}
              onClick={() => send.mutate({ id: provider.id })}
            >
              {send.isPending ? copy.sending : copy.send}
            </ActionButton>
          ) : null}
          {waiting === 0 ? null : (
            <DeliveriesLink
              search={{ state: 'held', channel: 'provider-email' }}
              label={copy.deliveriesLabel(provider.name)}
            >
              {copy.deliveries}
            </DeliveriesLink>
          )}
        </Actions>
      </div>
    </Box>
  );
}

function Waiting({ unreachable: { waiting, waitingSince } }: Pick<UnreachableNoticeProps, 'unreachable'>) {
  if (waiting === 0 || waitingSince === null) return copy.nobody;
  return (
    <>
      <strong>{copy.waiting(waiting)}</strong> {copy.waitingSince} <Instant iso={waitingSince} />.
    </>
  );
}

const Box = styled.fieldset`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.625rem;
  padding: 0.625rem 0.75rem;
  border: 1px solid color-mix(in srgb, ${token.warning} 40%, #ffffff);
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.warning} 5%, #ffffff);
  font-size: 0.875rem;
  line-height: 1.4;

  & > svg {
    inline-size: 1.125rem;
    color: ${token.warning};
  }
`;

const Title = styled.p`
  color: ${token.warning};
  font-weight: 700;
`;

const Reason = styled.p`
  color: ${token.muted};
  overflow-wrap: anywhere;
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.25rem 1rem;
  margin-block-start: 0.375rem;
`;
