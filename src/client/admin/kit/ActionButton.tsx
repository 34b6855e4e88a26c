import { Button, type ButtonProps } from '#client/ui/Button.tsx';

interface ActionButtonProps extends Omit<ButtonProps, 'size'> {
  /** Its request is pending: it ignores presses, and keeps the focus, which `disabled` would take away. */
  isBusy?: boolean;
}

/** A small button of a row, a bar or a drawer. */
export function ActionButton({ isBusy, variant = 'secondary', onClick, ...rest }: ActionButtonProps) {
  return (
    <Button
      variant={variant}
      size="small"
      aria-disabled={isBusy}
      {...rest}
      onClick={isBusy === true ? undefined : onClick}
    />
  );
}
