import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ORG_WALLETS, WALLETS } from '../../api/paths.ts'
import { useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { walletChoice } from '../../parts/treasury/wallet-choices.ts'

interface Props {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** One of the organization's wallets, the only one by itself; without any, the way to the first. */
export function WalletSelect({ label, value, onChange }: Props) {
  const first = useApi<Schema<'OrgWallet'>[]>(`${WALLETS}?limit=1&offset=0`)
  const { environment } = useSession()
  const [row] = first.data?.data ?? []
  const only = row && first.data?.total === 1 ? String(row.id) : undefined
  useEffect(() => {
    if (only !== undefined && !value) onChange(only)
  }, [only, value, onChange])
  if (first.data?.total === 0) return environment === 'sandbox' ? <TestWallet /> : <NoWallet />
  return (
    <SearchSelect<Schema<'OrgWallet'>>
      label={label}
      path={WALLETS}
      choiceOf={walletChoice}
      required
      value={value}
      onChange={onChange}
      rowPath={only && `${WALLETS}/${only}`}
    />
  )
}

const NoWallet = () => (
  <Alert color="yellow">
    You have no wallet yet.{' '}
    <Anchor component={Link} to={'/app/wallets' as never} search={{ add: 1 } as never} size="sm" underline="always">
      Add a wallet
    </Anchor>
    , then come back.
  </Alert>
)

/** A person who tries the ramp has no address at hand: the tab makes one, and forgets its key. */
function TestWallet() {
  const [busy, setBusy] = useState(false)
  const make = useAction('Test wallet created.')
  const body = (address: string) => ({ address, blockchain: 'polygon', label: 'Test wallet' })
  const onClick = async () => {
    setBusy(true)
    const { createBrowserWallet } = await import('../../lib/sandbox/browser-wallet.ts')
    make.mutate(
      {
        method: 'POST',
        path: ORG_WALLETS,
        body: body(createBrowserWallet().address),
      },
      { onSettled: () => setBusy(false) },
    )
  }
  return (
    <Alert>
      <Stack gap="xs">
        <Text size="sm">
          You have no wallet yet. A test wallet can receive tokens, but nobody keeps its key: they stay there.
        </Text>
        <Group gap="md">
          <Button size="xs" loading={busy} onClick={() => void onClick()}>
            Create a test wallet
          </Button>
          <Curl method="POST" path={ORG_WALLETS} body={body('an address of yours')} />
          <Anchor component={Link} to={'/app/wallets' as never} search={{ add: 1 } as never} size="sm">
            Add your own
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  )
}
