import { styled } from 'styled-components';
import { expect, test } from 'vitest';
import { dropUnusedClasses, renderStyled } from './renderScreen.tsx';

const Inner = styled.b`
  color: red;
`;
const Outer = styled.div`
  & > ${Inner} {
    color: blue;
  }
`;
const Bare = styled.i``;

test('an element keeps the classes that a style selects, and loses others', () => {
  const { html, css } = renderStyled(
    <Outer>
      <Inner className="unused">class=&quot;sc-not-one&quot;</Inner>
      <Bare />
    </Outer>,
  );
  const inner = Inner.toString().slice('.'.length);
  const smaller = dropUnusedClasses(html, css);
  expect(css).toContain(`.${inner}{color:blue;}`);
  expect(smaller).toMatch(new RegExp(`<b class="${inner} \\w+">`));
  expect(smaller).toMatch(/<div class="\w+">/);
  expect(smaller).toContain('<i></i>');
  expect(smaller).toContain('class=&quot;sc-not-one&quot;');
});
