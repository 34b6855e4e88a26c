import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { rememberWithdrawn, useSentRequest } from '#client/forms/lead/lastSubmission.ts';
import { needsScripts, notPrinted } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { success } from '#shared/brand/success.ts';

const { offer, text, action, done, failed } = success.withdraw;

/** Withdraws the request. Only for the tab that sent it: nothing in an address proves who did. */
export function WithdrawRequest() {
  const sent = useSentRequest();
  const [answer, setAnswer] = useState<'done' | 'failed' | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const key = sent?.key ?? null;

  async function withdraw(sentKey: string): Promise<void> {
    try {
      const { withdrawLead } = await import('#client/forms/lead/leadApi.ts');
      const isDone = await withdrawLead(sentKey);
      if (isDone) rememberWithdrawn();
      setAnswer(isDone ? 'done' : 'failed');
    } catch {
      setAnswer('failed');
    }
  }

  const isDone = answer === 'done' || sent?.isWithdrawn === true;
  // The button that had the focus is gone.
  useEffect(() => {
    if (answer === 'done') status.current?.focus();
  }, [answer]);
  if (key === null && !isDone) return null;
  return (
    <Place>
      {isDone || key === null ? null : (
        <details>
          <summary>{offer}</summary>
          <p>{text}</p>
          <Button variant="secondary" onClick={() => void withdraw(key)}>
            {action}
          </Button>
        </details>
      )}
      <p ref={status} tabIndex={-1} aria-live="polite">
        {isDone ? done : answer === 'failed' ? failed : null}
      </p>
    </Place>
  );
}

const Place = styled.div`
  margin-block-start: 1rem;
  ${needsScripts}
  ${notPrinted}

  & summary {
    min-block-size: 2.75rem;
    padding-block: 0.625rem;
    color: var(--surface-link);
    cursor: pointer;
  }

  & details > p {
    margin-block-end: 0.75rem;
  }
`;
