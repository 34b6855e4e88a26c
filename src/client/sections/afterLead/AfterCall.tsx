import { useState } from 'react';
import { styled } from 'styled-components';
import { useSentRequest } from '#client/forms/lead/lastSubmission.ts';
import { NumberedList } from '#client/sections/kit/NumberedList.tsx';
import { needsScripts, notPrinted } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { success } from '#shared/brand/success.ts';

/** Records that the visitor called, so that staff don't have to. Only for the tab that sent the lead. */
export function CalledMyself() {
  const key = useSentRequest()?.key ?? null;
  const [answer, setAnswer] = useState<'done' | 'failed' | null>(null);
  if (key === null) return null;

  async function record(sentKey: string): Promise<void> {
    try {
      const { recordCall } = await import('#client/forms/lead/leadApi.ts');
      setAnswer((await recordCall(sentKey)) ? 'done' : 'failed');
    } catch {
      setAnswer('failed');
    }
  }

  return (
    <Called>
      <Button variant="secondary" aria-disabled={answer === 'done'} onClick={() => void record(key)}>
        {success.called.action}
      </Button>
      <p aria-live="polite">{answer === null ? null : success.called[answer]}</p>
    </Called>
  );
}

/** What to ask in the call, to print. */
export function Questions() {
  const { title, items, print } = success.questions;
  return (
    <Section aria-labelledby="questions-title">
      <SmallTitle as="h2" id="questions-title">
        {title}
      </SmallTitle>
      <NumberedList items={items} />
      <PrintButton variant="secondary" onClick={() => window.print()}>
        {print}
      </PrintButton>
    </Section>
  );
}

const Called = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  align-items: center;
  margin-block-start: 1rem;
  ${needsScripts}
  ${notPrinted}
`;

const Section = styled.section`
  display: grid;
  gap: 0.75rem;
  margin-block-end: 2.5rem;
`;

const PrintButton = styled(Button)`
  justify-self: start;
  ${needsScripts}
  ${notPrinted}
`;
