import { styled } from 'styled-components';
import { SmallTitle } from '#client/ui/Section.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { plainTalk } from '#shared/brand/trust/plainTalk.ts';
import { paths, plainTalkAnchor, problemAnchor } from '#shared/pages/paths.ts';

/** What a visitor should know before the form, and the way to report a problem. */
export function PlainTalk() {
  const parts: readonly { title: string; text: string }[] = plainTalk.parts;
  const shown = parts.filter(({ text }) => text !== '');
  return (
    <Aside id={plainTalkAnchor} aria-label={plainTalk.title}>
      {shown.map(({ title, text }) => (
        <section key={title}>
          <SmallTitle>{title}</SmallTitle>
          <p>{text}</p>
        </section>
      ))}
      <a href={`${paths.study}#${problemAnchor}`}>{chrome.footer.report}</a>
    </Aside>
  );
}

const Aside = styled.aside`
  display: grid;
  gap: 0.75rem;
  margin-block-start: 1.25rem;
  padding-block-start: 1rem;
  border-block-start: 1px solid var(--surface-line);

  & > a {
    justify-self: start;
    padding-block: 0.625rem;
  }
`;
