import { Alert, Anchor, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWalletChoices } from './use-wallet-choices.ts'

interface Props {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** One of the organization's wallets; without any, the way to the first. */
export function WalletSelect({ label, value, onChange }: Props) {
  const choices = useWalletChoices()
  if (choices?.length === 0) {
    return (
      <Alert color="yellow">
        You have no wallet yet.{' '}
        <Anchor component={Link} to={'/app/wallets' as never} search={{ add: 1 } as never} size="sm" underline="always">
          Add a wallet
        </Anchor>
        , then come back.
      </Alert>
    )
  }
  return <Select label={label} data={choices ?? []} required value={value} onChange={onChange} allowDeselect={false} />
}
