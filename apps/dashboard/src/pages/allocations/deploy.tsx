import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ALLOCATIONS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'

export function Deploy({ onClose }: { readonly onClose: () => void }) {
  const wallets = useApi<Schema<'OperationalWallet'>[]>('/api/core/wallets/monitored?limit=100&offset=0')
  const [wallet, setWallet] = useState<string | null>(null)
  const [amount, setAmount] = useState('')
  const deploy = useAction<{ operationId: number; strategy: { name: string } }>(
    ({ operationId, strategy }) => `Operation ${operationId} deploys into ${strategy.name}.`,
    onClose,
  )
  const chosen = wallets.data?.data.find(({ id }) => String(id) === wallet)
  const body = { opWalletId: Number(wallet), amount, asset: chosen?.token ?? 'USDC' }
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
            Weir chooses the strategy that earns most within your caps. The approval policy applies.
          </Text>
          <Select
            label="Operational wallet"
            required
            data={(wallets.data?.data ?? []).map(({ id, address, token, availableBalance }) => ({
              value: String(id),
              label: `${address.slice(0, 10)}… ${availableBalance} ${token}`,
            }))}
            value={wallet}
            onChange={setWallet}
            nothingFoundMessage="Add an operational wallet first"
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
            <Button type="submit" loading={deploy.isPending} disabled={!wallet || amount === ''}>
              Deploy
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
