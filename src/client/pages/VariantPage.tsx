import { Container } from '#client/ui/Section.tsx';

export function VariantPage() {
  return (
    <Container>
      <h1>Increase Size, Without Surgery</h1>
    </Container>
  );
}
