import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { SentRequest } from '../../api/client.ts'
import { queryClient } from '../../api/use-api.ts'
import { BUFFER } from '../../lib/sandbox/agent-treasury.ts'
import type { BrowserWallet } from '../../lib/sandbox/browser-wallet.ts'
import * as loop from '../../lib/sandbox/first-loop.ts'
import { counted } from '../../lib/text/counted.ts'
import { Requests } from './requests.tsx'
import { useRecorded, writesOf } from './use-recorded.ts'
import { WaitsForYou } from './waits-for-you.tsx'

const AGENT_MS = 1_000

/** The wallet of the five steps as a treasury: Weir keeps its buffer, and this tab is the custody agent. */
export function TabTreasury({ wallet, walletId }: { readonly wallet: BrowserWallet; readonly walletId: number }) {
  const [lines, setLines] = useState<readonly string[]>([])
  const [opWalletId, setOpWallet] = useState<number>()
  const { busy, problem, setProblem, record } = useRecorded()
  const [requests, setRequests] = useState<readonly SentRequest[]>([])
  const key = useRef<string>(undefined)
  useEffect(() => {
    if (opWalletId === undefined) return
    let stopped = false
    void (async () => {
      while (!stopped) {
        try {
          const signed = await loop.agentTurn(wallet, key.current!)
          if (signed !== undefined) {
            setLines((previous) => [...previous, signed])
            void queryClient.invalidateQueries()
            continue
          }
        } catch (error) {
          setProblem((error as Error).message)
        }
        await new Promise((resolve) => setTimeout(resolve, AGENT_MS))
      }
    })()
    return () => {
      stopped = true
    }
  }, [opWalletId, wallet, setProblem])
  const begin = async () => {
    const sent = await record(async () => {
      key.current ??= (await loop.agentKey()).apiKey
      await loop.fund(wallet, loop.TREASURY_AMOUNT)
      setOpWallet((await loop.makeOperational(walletId, BUFFER)).id)
    })
    setRequests(writesOf(sent))
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        The faucet adds 100,000 USDC, and this wallet becomes operational with a buffer of {BUFFER} USDC. This tab is
        its custody agent and signs until you close it.
      </Text>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {opWalletId === undefined ? (
        <Group>
          <Button loading={busy} onClick={() => void begin()}>
            Make it a treasury
          </Button>
        </Group>
      ) : (
        <Stack gap="xs">
          <WaitsForYou opWalletId={opWalletId} />
          <Text size="sm" fw={600} role="status">
            {lines.length === 0
              ? 'The agent runs in this tab and waits for a transaction to sign.'
              : `The agent signed ${counted(lines.length, 'transaction')}:`}
          </Text>
          <List size="sm">
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same line may come twice, and lines only grow.
              <List.Item key={index}>{line}</List.Item>
            ))}
          </List>
          <Text size="sm">
            <Anchor
              component={Link}
              to={'/app/wallets' as never}
              search={{ open: opWalletId } as never}
              target="_blank"
              underline="always"
            >
              Open the wallet
            </Anchor>{' '}
            in another tab, raise its buffer, and watch this one sign the withdrawal.
          </Text>
        </Stack>
      )}
      {requests.length > 0 && <Requests list={requests} />}
    </Stack>
  )
}
