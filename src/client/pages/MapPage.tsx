import { Container } from '#client/ui/Section.tsx';

export function MapPage() {
  return (
    <Container>
      <h1>Provider Network</h1>
    </Container>
  );
}
