import { Button, Group, NumberInput, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { chainName } from '../../parts/values.tsx'

const FAULTS = [
  { value: 'rpc_down', label: 'The endpoint is down' },
  { value: 'drop_next', label: 'The next transactions vanish' },
  { value: 'revert_next', label: 'The next transactions revert' },
  { value: 'delay_next', label: 'The next transactions are delayed' },
  { value: 'simulation_fails', label: 'Simulations fail' },
]

export function Faults() {
  const [blockchain, setChain] = useState('polygon')
  const [fault, setFault] = useState('revert_next')
  const [count, setCount] = useState<number | string>(1)
  const make = useAction('Fault set.')
  const body = { blockchain, fault, count: Number(count) || 0 }
  return (
    <Section title="Faults">
      <Stack gap="sm">
        <Select
          label="Chain"
          data={['polygon', 'ethereum', 'base', 'solana'].map((value) => ({ value, label: chainName(value) }))}
          value={blockchain}
          onChange={(value) => value && setChain(value)}
          allowDeselect={false}
        />
        <Select
          label="What fails"
          data={FAULTS}
          value={fault}
          onChange={(value) => value && setFault(value)}
          allowDeselect={false}
        />
        <NumberInput label="How often" min={0} max={100} allowDecimal={false} value={count} onChange={setCount} />
        <Group justify="space-between">
          <Curl method="POST" path="/v1/sandbox/chain-faults" body={body} />
          <Button
            color="red.9"
            loading={make.isPending}
            onClick={() => make.mutate({ method: 'POST', path: '/v1/sandbox/chain-faults', body })}
          >
            Break it
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
