import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Data } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { toBaseUnits } from '../../lib/money/money.ts'
import { Curl } from '../../parts/curl.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { chainName } from '../../parts/values.tsx'

/** Of the tokens of the embedded chains. */
const SANDBOX_DECIMALS = 6

export function Faucet() {
  const [fields, setFields] = useState({ walletAddress: '', blockchain: 'polygon', token: 'USDC', amount: '1000.00' })
  const give = useAction<Data<'giveFromFaucet'>>(({ txHash }) => `Sent with ${txHash.slice(0, 12)}….`)
  const units = toBaseUnits(fields.amount, SANDBOX_DECIMALS)
  const body = {
    walletAddress: fields.walletAddress.trim(),
    blockchain: fields.blockchain,
    token: fields.token,
    amount: String(units ?? 0n),
  }
  const set = (next: Partial<typeof fields>) => setFields((previous) => ({ ...previous, ...next }))
  return (
    <Section title="Faucet">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          give.mutate({ method: 'POST', path: '/v1/sandbox/faucet', body })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Address"
            required
            value={fields.walletAddress}
            onChange={(event) => set({ walletAddress: event.currentTarget.value })}
            spellCheck={false}
          />
          <Group grow>
            <Select
              label="Chain"
              data={['polygon', 'ethereum', 'base', 'solana'].map((value) => ({ value, label: chainName(value) }))}
              value={fields.blockchain}
              onChange={(blockchain) => blockchain && set({ blockchain })}
              allowDeselect={false}
            />
            <Select
              label="Token"
              data={['USDC', 'USDT']}
              value={fields.token}
              onChange={(token) => token && set({ token })}
              allowDeselect={false}
            />
          </Group>
          <TextInput
            label="Amount"
            inputMode="decimal"
            value={fields.amount}
            onChange={(event) => set({ amount: event.currentTarget.value })}
            error={units === undefined ? 'Enter an amount such as 1000.00' : undefined}
          />
          <Group justify="space-between">
            <Curl method="POST" path="/v1/sandbox/faucet" body={body} />
            <Button type="submit" loading={give.isPending} disabled={units === undefined}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
