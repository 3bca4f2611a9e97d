import { Group, Stack, Switch, Text } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import type { Data } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Loaded, Section } from '../../parts/frame/page.tsx'

const SETTINGS = '/api/core/organization/security'
const SIGNED_APPROVALS = '/api/core/organization/signed-approvals'

/** What the organization demands of its members. Owners decide; the others see it. */
export function Security() {
  const may = useMay()
  const settings = useApi<Data<'getSecuritySettings'>>(SETTINGS)
  const save = useAction('Saved.')
  const put = (path: string, body: object) => save.mutate({ method: 'PUT', path, body })
  const disabled = !may.own || save.isPending
  return (
    <Section title="Security">
      <Loaded query={settings} height={150}>
        {({ secondFactorRequired, signedApprovals, approvalMails }) => (
          <Stack gap="sm">
            {!may.own && (
              <Text size="sm" c="dimmed">
                Owners decide.
              </Text>
            )}
            <Switch
              label="Require second factors"
              description="A member without one can only enroll one."
              checked={secondFactorRequired}
              disabled={disabled}
              onChange={(event) => put(SETTINGS, { secondFactorRequired: event.currentTarget.checked })}
            />
            <Switch
              label="Require signed approvals"
              description="Each approval of an operation is signed with the approver's passkey, and the agent can check it."
              checked={signedApprovals}
              disabled={disabled}
              onChange={(event) => put(SIGNED_APPROVALS, { required: event.currentTarget.checked })}
            />
            <Switch
              label="Email members who may approve"
              description="One email for each operation or change that starts to wait for approval."
              checked={approvalMails}
              disabled={disabled}
              onChange={(event) => put(SETTINGS, { approvalMails: event.currentTarget.checked })}
            />
            {may.own && (
              <Group gap="xs">
                <Curl
                  method="PUT"
                  path={SETTINGS}
                  body={{ secondFactorRequired, approvalMails }}
                  label="Factors and emails as curl"
                />
                <Curl
                  method="PUT"
                  path={SIGNED_APPROVALS}
                  body={{ required: signedApprovals }}
                  label="Signed approvals as curl"
                />
              </Group>
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
