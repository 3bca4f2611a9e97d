import { Group, Switch } from '@mantine/core'
import type { Data } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Loaded, Section } from '../../parts/frame/page.tsx'

const PATH = '/api/core/auth/notifications'

/** The emails that the user gets. */
export function Notifications() {
  const settings = useApi<Data<'getNotificationSettings'>>(PATH)
  const save = useAction('Saved.')
  return (
    <Section title="Email">
      <Loaded query={settings} height={44}>
        {({ approvalMails }) => (
          <Group justify="space-between">
            <Switch
              label="Email me when something waits for my approval"
              description="If your organization sends these emails."
              checked={approvalMails}
              disabled={save.isPending}
              onChange={(event) =>
                save.mutate({ method: 'PUT', path: PATH, body: { approvalMails: event.currentTarget.checked } })
              }
            />
            <Curl method="PUT" path={PATH} body={{ approvalMails: !approvalMails }} />
          </Group>
        )}
      </Loaded>
    </Section>
  )
}
