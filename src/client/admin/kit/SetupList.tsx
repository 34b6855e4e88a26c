import { styled } from 'styled-components';
import { Link } from 'wouter';
import { token } from '#client/theme/tokens.ts';
import { Check } from '#client/ui/Icon.tsx';
import { adminMessages } from '#shared/admin/copy.ts';
import { setupCopy as copy, type SetupState } from '#shared/admin/setup.ts';
import { ActionButton } from './ActionButton.tsx';
import { adminApi } from './adminApi.tsx';
import { Muted, Row, Stack } from './layout.tsx';
import { withReport } from './reports.ts';
import { useOpenLead } from './useSearchParams.ts';

interface SetupListProps {
  state: SetupState;
  /** Whether this person may send a test lead. */
  canChange: boolean;
}

/** What an installation needs before its first lead. Each step is checked off by fact. */
export function SetupList({ state: { steps, testLeadId }, canChange }: SetupListProps) {
  const { buildHref } = useOpenLead();
  const send = adminApi.admin.setup.sendTest.useMutation(
    withReport({ done: ({ message }) => message, failed: copy.sendFailed }),
  );
  const remove = adminApi.admin.leads.remove.useMutation(
    withReport({ done: adminMessages.remove.done, failed: adminMessages.remove.failed('') }),
  );
  return (
    <Steps>
      {steps.map(({ key, isDone }) => (
        <li key={key} data-step={key}>
          <Mark $isDone={isDone}>
            {isDone ? <Check /> : null}
            <Muted>{isDone ? copy.done : copy.open}</Muted>
          </Mark>
          <Stack $gap="0.25rem">
            <strong>{copy.steps[key].title}</strong>
            <p>{copy.steps[key].text}</p>
            {key === 'testLead' ? (
              <Row>
                {canChange ? (
                  <ActionButton isBusy={send.isPending} onClick={() => send.mutate()}>
                    {copy.send}
                  </ActionButton>
                ) : null}
                {testLeadId === null ? null : (
                  <>
                    {canChange ? (
                      <ActionButton
                        variant="quiet"
                        isBusy={remove.isPending}
                        onClick={() => remove.mutate({ id: testLeadId })}
                      >
                        {copy.deleteTest}
                      </ActionButton>
                    ) : null}
                    <Link href={buildHref(testLeadId)}>{copy.openTest}</Link>
                  </>
                )}
              </Row>
            ) : null}
          </Stack>
        </li>
      ))}
    </Steps>
  );
}

const Steps = styled.ol`
  display: grid;
  max-inline-size: 44rem;
  padding: 0;
  list-style: none;

  & > li {
    display: grid;
    grid-template-columns: 4.5rem minmax(0, 1fr);
    gap: 0.75rem;
    padding-block: 0.75rem;
    border-block-start: 1px solid ${token.line};
    font-size: 0.9375rem;
    line-height: 1.45;
  }
`;

const Mark = styled.span<{ $isDone: boolean }>`
  display: inline-flex;
  align-items: center;
  align-self: start;
  gap: 0.25rem;
  color: ${({ $isDone }) => ($isDone ? token.success : token.muted)};

  & > svg {
    inline-size: 1rem;
    block-size: 1rem;
  }
`;
