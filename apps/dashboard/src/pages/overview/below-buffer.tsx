import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/types.ts'
import { signedUnits } from '../../lib/money.ts'

/** Warns of wallets whose liquid money is less than their buffer. */
export function BelowBuffer({ wallets }: { readonly wallets: readonly Schema<'OperationalWallet'>[] }) {
  const short = wallets.filter(
    ({ enableYield, availableBalance, bufferAmount }) =>
      enableYield && (signedUnits(availableBalance) ?? 0n) < (signedUnits(bufferAmount) ?? 0n),
  )
  if (short.length === 0) return null
  return (
    <Alert
      color="yellow"
      title={`${short.length} ${short.length === 1 ? 'wallet is' : 'wallets are'} below the buffer`}
    >
      {short.map(({ id, address, token, availableBalance, bufferAmount }) => (
        <Text key={id} size="sm">
          <Anchor component={Link} to={'/app/wallets' as never} search={{ open: id } as never}>
            {address.slice(0, 10)}…
          </Anchor>
          : {availableBalance} of {bufferAmount} {token}
        </Text>
      ))}
    </Alert>
  )
}
