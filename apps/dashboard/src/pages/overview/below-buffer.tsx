import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/types.ts'
import { counted } from '../../lib/counted.ts'
import { grouped } from '../../lib/money.ts'

interface Props {
  /** The first wallets whose liquid money is less than their buffer. */
  readonly wallets: readonly Schema<'OperationalWallet'>[]
  /** How many there are. */
  readonly total: number
}

/** Warns of wallets below their buffer. */
export function BelowBuffer({ wallets, total }: Props) {
  if (total === 0) return null
  return (
    <Alert
      color="yellow"
      title={total === 1 ? '1 wallet is below its buffer' : `${counted(total, 'wallet')} are below their buffers`}
    >
      {wallets.map(({ id, address, label, token, availableBalance, bufferAmount }) => (
        <Text key={id} size="sm">
          <Anchor component={Link} to={'/app/wallets' as never} search={{ open: id } as never} underline="always">
            {label ?? address}
          </Anchor>
          : {grouped(availableBalance)} of {grouped(bufferAmount)} {token}
        </Text>
      ))}
      {total > wallets.length && (
        <Anchor
          component={Link}
          to={'/app/wallets' as never}
          search={{ below: 'buffer' } as never}
          size="sm"
          underline="always"
        >
          All {total} of them
        </Anchor>
      )}
    </Alert>
  )
}
