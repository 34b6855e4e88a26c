import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import { Field, type FieldProps } from '#client/ui/Field.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';

const loadTypos = () => import('./emailTypos.ts');

/** A field for an email address. One that is probably mistyped gets a button with the likely one; it blocks nothing. */
export function EmailField(props: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [suggested, setSuggested] = useState<string | null>(null);

  async function review(typed: string): Promise<void> {
    try {
      const { suggestEmail } = await loadTypos();
      if (input.current?.value === typed) setSuggested(suggestEmail(typed));
    } catch {
      // The form works without it.
    }
  }

  function accept(email: string): void {
    if (input.current === null) return;
    input.current.value = email;
    input.current.dispatchEvent(new Event('input', { bubbles: true }));
    input.current.focus();
  }

  return (
    <div>
      <Field
        {...props}
        ref={input}
        // Loaded ahead, so that the button is there before the next field is typed into.
        onFocus={() => void loadTypos().catch(() => undefined)}
        onBlur={({ currentTarget }) => void review(currentTarget.value)}
        onInput={() => setSuggested(null)}
      />
      <div aria-live="polite">
        {suggested === null ? null : (
          <Suggestion variant="quiet" onClick={() => accept(suggested)}>
            {leadFormTexts.didYouMean(suggested)}
          </Suggestion>
        )}
      </div>
    </div>
  );
}

const Suggestion = styled(Button)`
  margin-block-start: 0.375rem;
  padding-inline: 0;
  overflow-wrap: anywhere;
  text-align: start;
`;
