import { styled } from 'styled-components';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { leadDisclosure, leadFormTexts } from '#shared/brand/leadForm.ts';
import { paths } from '#shared/pages/paths.ts';

/** The small print under the form. Its links open apart, so that nothing typed is lost. */
export function Disclosure() {
  if (leadDisclosure === null) return null;
  return (
    <Text>
      {leadDisclosure.text} <NewTabLink href={paths.terms} label={leadDisclosure.termsLabel} />
      <span aria-hidden="true"> · </span>
      <NewTabLink href={paths.privacy} label={leadDisclosure.privacyLabel} />
    </Text>
  );
}

function NewTabLink({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {label}
      <VisuallyHidden> ({leadFormTexts.newTab})</VisuallyHidden>
    </a>
  );
}

const Text = styled.p`
  color: var(--surface-muted);
  font-size: 0.875rem;
  line-height: 1.55;
  text-wrap: pretty;

  & a {
    color: var(--surface-link);
    white-space: nowrap;
  }
`;
