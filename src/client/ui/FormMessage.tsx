import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { CircleAlert } from './Icon.tsx';

interface FormMessageProps {
  id: string;
  /** Empty when there is nothing to say. */
  text: string;
  /** Nothing has failed. */
  isCalm?: boolean;
}

/**
 * What a form has to say as a whole, above its button. There from the start: a live region announces only what changes in it. The text stands in
 * an element of its own, so that a page translator, which replaces text nodes, leaves React's elements in place.
 */
export function FormMessage({ id, text, isCalm = false }: FormMessageProps) {
  return (
    <Live aria-live="polite">
      {text === '' ? null : (
        <Message key={text} id={id} $calm={isCalm}>
          <CircleAlert />
          <span>{text}</span>
        </Message>
      )}
    </Live>
  );
}

/** No box of its own: an empty one would leave a gap in the form's grid. */
const Live = styled.div`
  display: contents;
`;

const Message = styled.p<{ $calm: boolean }>`
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.75rem;
  padding: 0.875rem 1rem;
  border: 1px solid ${({ $calm }) => ($calm ? 'var(--surface-line)' : 'currentcolor')};
  border-radius: ${token.radius};
  color: ${({ $calm }) => ($calm ? 'var(--surface-text)' : 'var(--surface-danger)')};
  line-height: 1.5;

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.5rem;
  }
`;
