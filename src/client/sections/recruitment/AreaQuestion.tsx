import { type SyntheticEvent, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { usePage } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Field } from '#client/ui/Field.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { network } from '#shared/brand/map.ts';
import { areaQuestion } from '#shared/brand/recruitment.ts';
import { areaField } from '#shared/applications/applicationFields.ts';
import type { AreaAnswer } from '#shared/applications/areas.ts';
import { zipInText } from '#shared/leads/zip.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

/** Sent in the body of a POST: a ZIP code is never in a URL. Null if no answer arrived. */
async function askArea(typed: string): Promise<AreaAnswer | null> {
  try {
    const { trpcClient } = await import('#client/api/trpc.ts');
    return await trpcClient.applications.area.mutate({ [areaField]: typed });
  } catch {
    return null;
  }
}

/** The application begins with the ZIP that was asked about last, unless the visitor has typed another there. */
function prefillApplication(zip: string, prefilled: string | null): void {
  const input = document.querySelector<HTMLInputElement>('form[data-application-form] [name=zip_code]');
  if (input === null || (zipInText(input.value) !== null && input.value !== prefilled)) return;
  input.value = zip;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Whether a ZIP code's inquiries already go to a provider, how far the nearest is, and how many people around it asked.
 * Without script, a plain form post is answered by this page.
 */
export function AreaQuestion() {
  const { form: posted } = usePage('recruitment');
  const [answer, setAnswer] = useState(posted?.area ?? null);
  const [hasFailed, setHasFailed] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  /** The last ZIP that was answered. */
  const asked = useRef<string>(null);

  async function ask(): Promise<void> {
    setIsAsking(true);
    const found = await askArea(input.current?.value ?? '');
    setIsAsking(false);
    setHasFailed(found === null);
    setAnswer(found);
    if (found?.zip == null) {
      input.current?.focus();
      return;
    }
    prefillApplication(found.zip, asked.current);
    asked.current = found.zip;
  }

  function onSubmit(event: SyntheticEvent): void {
    event.preventDefault();
    if (!isAsking) void ask();
  }

  return (
    <Question id={areaQuestion.id}>
      <SmallTitle>{areaQuestion.title}</SmallTitle>
      <Form method="post" action={`/api/areas#${areaQuestion.id}`} noValidate onSubmit={onSubmit}>
        <Field
          ref={input}
          name={areaField}
          label={areaQuestion.label}
          defaultValue={posted?.values[areaField]}
          error={hasFailed ? network.zip.offline : faultText(answer)}
          type="text"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          required
        />
        <Button type="submit" variant="secondary" size="large" aria-disabled={isAsking}>
          {isAsking ? network.zip.searching : areaQuestion.submit}
        </Button>
      </Form>
      <div aria-live="polite">
        {answer === null || answer.zip === null ? null : <Answer answer={answer} />}
      </div>
    </Question>
  );
}

function faultText(answer: AreaAnswer | null): string | undefined {
  if (answer === null || answer.zip !== null) return undefined;
  return answer.isValid ? network.zip.unknown : network.zip.invalid;
}

function Answer({ answer: { zip, nearest, people } }: { answer: AreaAnswer }) {
  if (zip === null) return null;
  return (
    <>
      <p>
        <strong>{nearest?.isWithinReach === true ? areaQuestion.taken(zip) : areaQuestion.open(zip)}</strong>
        {nearest === null
          ? null
          : ` ${areaQuestion.nearest(
              [nearest.name, nearest.city].filter((part) => part !== null).join(', '),
              nearest.distanceMiles,
            )}`}
      </p>
      {people === null ? null : <p>{areaQuestion.people(people, zip.slice(0, 3))}</p>}
      <Apply href={`#${providerFormAnchor}`}>{areaQuestion.apply}</Apply>
    </>
  );
}

const Question = styled.div`
  max-inline-size: ${token.measure};
  margin-block-start: 2rem;
`;

const Form = styled.form`
  display: grid;
  gap: 0.75rem;
  align-items: end;
  margin-block: 0.75rem 1rem;

  ${media.tablet} {
    grid-template-columns: minmax(0, 14rem) auto;
    justify-content: start;
  }
`;

const Apply = styled.a`
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  font-weight: 600;
`;
