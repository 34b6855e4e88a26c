import { styled } from 'styled-components';

/** Text whose ranges of figures, such as 24-48 or $2K-8K, stay on one line; browsers break after their hyphen. */
export function NoWrap({ text }: { text: string }) {
  return text
    .split(/(\S*\d\w*-\d\S*)/)
    .map((part, index) => (index % 2 === 1 ? <Range key={part}>{part}</Range> : part));
}

const Range = styled.span`
  white-space: nowrap;
`;
