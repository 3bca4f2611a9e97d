import { PasswordInput } from '@mantine/core'

interface Props {
  readonly value: string
  readonly onChange: (password: string) => void
}

/** The user's own password, which the service wants before a factor is added, except soon after a sign-in. */
export function OwnPassword({ value, onChange }: Props) {
  return (
    <PasswordInput
      label="Your password"
      description="Not needed within five minutes of signing in"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  )
}

/** The body that begins an enrollment. */
export const ownPassword = (password: string) => (password === '' ? {} : { currentPassword: password })
