import { Card, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { BrowserWallet } from '../../lib/sandbox/browser-wallet.ts'
import { AgentTreasury } from './agent-treasury.tsx'
import { TabTreasury } from './tab-treasury.tsx'

interface Props {
  /** The wallet of the five steps, once they are done. */
  readonly own: { readonly wallet: BrowserWallet; readonly walletId: number } | undefined
}

/** A wallet that Weir keeps at its buffer, and who signs for it. */
export function Treasury({ own }: Props) {
  const [signer, setSigner] = useState('sandbox')
  return (
    <Card withBorder component="section" aria-label="Treasury">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Now let Weir do it
        </Title>
        <Text size="sm">
          Weir decides when to deploy what exceeds the buffer of a wallet, and when to bring it back. A custody agent
          signs.
        </Text>
        {own && (
          <SegmentedControl
            aria-label="Who signs?"
            data={[
              { value: 'sandbox', label: 'An agent of the sandbox signs' },
              { value: 'tab', label: 'This tab signs' },
            ]}
            value={signer}
            onChange={setSigner}
            style={{ alignSelf: 'start' }}
          />
        )}
        {own && signer === 'tab' ? <TabTreasury {...own} /> : <AgentTreasury />}
      </Stack>
    </Card>
  )
}
