import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ALLOCATIONS, MONITORED } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { plain } from '../../lib/money.ts'
import { Curl } from '../../parts/curl.tsx'
import { SearchSelect } from '../../parts/search-select.tsx'
import { operationalChoice } from '../../parts/wallet-choices.ts'

export function Deploy({ onClose }: { readonly onClose: () => void }) {
  const [wallet, setWallet] = useState<Schema<'OperationalWallet'>>()
  const [amount, setAmount] = useState('')
  const deploy = useAction<{ operationId: number; strategy: { name: string } }>(
    ({ operationId, strategy }) => `Operation ${operationId} deploys into ${strategy.name}.`,
    onClose,
  )
  const body = { opWalletId: wallet?.id ?? 0, amount: plain(amount), asset: wallet?.token ?? 'USDC' }
  return (
    <Modal opened onClose={onClose} title="Deploy now">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          deploy.mutate({ method: 'POST', path: ALLOCATIONS, body })
        }}
      >
        <Stack>
          <Text size="sm">
            Weir chooses the strategy that earns the most within your caps. The approval policy applies.
          </Text>
          <SearchSelect<Schema<'OperationalWallet'>>
            label="Operational wallet"
            required
            path={MONITORED}
            choiceOf={operationalChoice}
            value={wallet ? String(wallet.id) : null}
            onChange={(_, row) => setWallet(row)}
            nothingFound="No operational wallet starts with this"
          />
          <TextInput
            label="Amount"
            required
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
            inputMode="decimal"
          />
          <Group justify="space-between">
            <Curl method="POST" path={ALLOCATIONS} body={body} />
            <Button type="submit" loading={deploy.isPending} disabled={wallet === undefined || amount === ''}>
              Deploy
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
