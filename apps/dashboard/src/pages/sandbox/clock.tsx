import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Data } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { exactTime } from '../../lib/dates/time.ts'
import { usePreferences } from '../../lib/page/preferences.ts'
import { Curl } from '../../parts/curl.tsx'
import { Section } from '../../parts/frame/page.tsx'

const DAY_SECONDS = 86_400

export function Clock() {
  const { zone } = usePreferences()
  const [days, setDays] = useState<number | string>(30)
  const advance = useAction<Data<'advanceTime'>>(({ now }) => `On the chains it is now ${exactTime(now, zone)}.`)
  const body = { seconds: Math.max(1, Math.round(Number(days) * DAY_SECONDS)) }
  return (
    <Section title="Clock">
      <Stack gap="sm">
        <Text size="sm">
          Moves the time of all chains forward, day by day, so that interest accrues. It cannot go back.
        </Text>
        <NumberInput label="Days" min={1} max={365} allowDecimal={false} value={days} onChange={setDays} />
        <Group justify="space-between">
          <Curl method="POST" path="/v1/sandbox/advance-time" body={body} />
          <Button
            loading={advance.isPending}
            disabled={Number(days) < 1}
            onClick={() => advance.mutate({ method: 'POST', path: '/v1/sandbox/advance-time', body })}
          >
            Advance
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
