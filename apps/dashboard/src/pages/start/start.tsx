import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { SentRequest } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.tsx'
import { queryClient } from '../../api/use-api.ts'
import { fromBaseUnits, rate, ratio } from '../../lib/money/money.ts'
import type { BrowserWallet } from '../../lib/sandbox/browser-wallet.ts'
import * as loop from '../../lib/sandbox/first-loop.ts'
import { Page } from '../../parts/frame/page.tsx'
import { Hash, Money } from '../../parts/values.tsx'
import { Requests } from './requests.tsx'
import { Treasury } from './treasury.tsx'
import { useRecorded } from './use-recorded.ts'

interface State {
  readonly wallet?: BrowserWallet
  readonly walletId?: number
  readonly choice?: loop.Choice
  readonly position?: loop.Position | undefined
  readonly funded?: string
  readonly balance?: string
  readonly opWalletId?: number
}

/** What a position earned, as a share of its deposit. */
const gain = ({ yieldEarned, principal }: loop.Position): string => ratio(BigInt(yieldEarned), BigInt(principal))

/** From nothing to yield in five steps, each with the requests that it made. */
export function Start() {
  const { environment } = useSession()
  const may = useMay()
  const [state, setState] = useState<State>({})
  const [at, setAt] = useState(0)
  const { busy, problem, record } = useRecorded()
  const [requests, setRequests] = useState<readonly (readonly SentRequest[])[]>([])
  const add = (next: State) => setState((previous) => ({ ...previous, ...next }))
  if (environment !== 'sandbox' || !may.administer) {
    return (
      <Page title="Put 1,000 USDC to work">
        <Alert>
          {environment === 'sandbox'
            ? 'Owners and admins can do this.'
            : 'This is for the sandbox, where money is worth nothing.'}
        </Alert>
      </Page>
    )
  }

  const steps: readonly {
    title: string
    about: string
    button: string
    done: (state: State) => ReactNode
    run: () => Promise<void>
  }[] = [
    {
      title: 'Create a wallet',
      about: 'Its key is created in this tab and never leaves it. Weir learns only the address.',
      button: 'Create the wallet',
      done: ({ wallet }) => <Hash value={wallet?.address} />,
      run: async () => {
        const { createBrowserWallet } = await import('../../lib/sandbox/browser-wallet.ts')
        const wallet = createBrowserWallet()
        add({ wallet, walletId: await loop.registerWallet(wallet) })
      },
    },
    {
      title: 'Get 1,000 USDC',
      about: 'The faucet sends test money, and coins for gas.',
      button: 'Open the faucet',
      done: ({ funded }) => <Money amount={fromBaseUnits(funded ?? '0', loop.USDC_DECIMALS)} token="USDC" />,
      run: async () => {
        await loop.fund(state.wallet!)
        add({
          funded: await loop.until(async () => {
            const found = await loop.balanceOf(state.walletId!)
            return found === '0' ? undefined : found
          }),
        })
      },
    },
    {
      title: 'Deposit it where it earns the most',
      about: 'Weir plans the transactions; this tab signs them.',
      button: 'Plan and sign',
      done: ({ choice }) => (
        <Text size="sm">
          Into {choice?.name} of {choice?.venueName}, at an APY of {rate(choice?.apy ?? null)} now: its rate, compounded
          for a year
        </Text>
      ),
      run: async () => {
        const choice = await loop.bestStrategy()
        await loop.signAndSettle(state.wallet!, await loop.supply(state.walletId!, choice))
        add({ choice })
      },
    },
    {
      title: 'Wait thirty days',
      about: 'The clock of the chains moves in a few seconds, and the borrowers pay their interest.',
      button: 'Let thirty days pass',
      done: ({ position }) => (
        <Text size="sm">
          Earned <Money amount={fromBaseUnits(position?.yieldEarned ?? '0', loop.USDC_DECIMALS)} token="USDC" strong />{' '}
          in thirty days{position && `, ${gain(position)} of what was deposited`}
        </Text>
      ),
      run: async () => {
        await loop.passThirtyDays()
        add({
          position: await loop.until(async () => {
            const found = await loop.positionOf(state.walletId!)
            return found && BigInt(found.yieldEarned) > 0n ? found : undefined
          }),
        })
      },
    },
    {
      title: 'Take it all back',
      about: 'A full withdrawal: principal and yield.',
      button: 'Withdraw and sign',
      done: ({ balance }) => (
        <Text size="sm">
          The wallet holds <Money amount={fromBaseUnits(balance ?? '0', loop.USDC_DECIMALS)} token="USDC" strong />
        </Text>
      ),
      run: async () => {
        await loop.signAndSettle(state.wallet!, await loop.unwind(state.walletId!, state.choice!))
        add({ balance: await loop.balanceOf(state.walletId!) })
      },
    },
  ]
  const run = async () => {
    const sent = await record(async () => {
      await steps[at]!.run()
      setAt(at + 1)
    })
    const made = sent.filter(({ method, path }) => method !== 'GET' || path.startsWith('/v1/'))
    const seen = new Set<string>()
    const unique = made.filter(({ method, path }) => method !== 'GET' || (!seen.has(path) && Boolean(seen.add(path))))
    setRequests((previous) => [...previous.slice(0, at), unique])
    void queryClient.invalidateQueries()
  }
  return (
    <Page
      title="Put 1,000 USDC to work"
      description="Five steps with test money and a key of this tab: close it, and the wallet is gone."
    >
      <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {steps.map(({ title, about, button, done }, index) => (
          <Card key={title} withBorder component="li" aria-current={index === at ? 'step' : undefined}>
            <Group justify="space-between" gap="sm" align="flex-start">
              <Stack gap={2} maw={560}>
                <Title order={2} size="h5">
                  {index + 1}. {title}
                </Title>
                <Text size="sm" c="dimmed">
                  {about}
                </Text>
                {index < at && <div role="status">{done(state)}</div>}
              </Stack>
              {index === at && (
                <Button loading={busy} onClick={() => void run()}>
                  {button}
                </Button>
              )}
            </Group>
            {index === at && problem && (
              <Alert color="red" role="alert" mt="sm">
                {problem}
              </Alert>
            )}
            {(requests[index]?.length ?? 0) > 0 && <Requests list={requests[index]!} />}
          </Card>
        ))}
      </Stack>
      <Treasury own={at === steps.length ? { wallet: state.wallet!, walletId: state.walletId! } : undefined} />
    </Page>
  )
}
