import { Container } from '#client/ui/Section.tsx';

export function FindPage() {
  return (
    <Container>
      <h1>Want to Increase Size?</h1>
    </Container>
  );
}
