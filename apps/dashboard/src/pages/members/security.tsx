import { Alert, Button, Group, Text } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import type { Data } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Loaded, Section } from '../../parts/page.tsx'
import { Status } from '../../parts/values.tsx'

export function Security() {
  const may = useMay()
  const settings = useApi<Data<'getSecuritySettings'>>('/api/core/organization/security')
  const save = useAction('Saved.')
  return (
    <Section title="Second factors">
      <Loaded query={settings} height={36}>
        {({ secondFactorRequired }) => (
          <Group justify="space-between">
            <Group gap="xs">
              <Status value={secondFactorRequired ? 'Required' : 'Optional'} />
              <Text size="sm">
                {secondFactorRequired
                  ? 'Everybody needs one to do anything.'
                  : 'Members may enroll one in their account.'}
              </Text>
            </Group>
            {may.own ? (
              <Button
                size="xs"
                variant="default"
                loading={save.isPending}
                onClick={() =>
                  save.mutate({
                    method: 'PUT',
                    path: '/api/core/organization/security',
                    body: { secondFactorRequired: !secondFactorRequired },
                  })
                }
              >
                {secondFactorRequired ? 'Make optional' : 'Require'}
              </Button>
            ) : (
              <Alert p="xs">Owners decide</Alert>
            )}
          </Group>
        )}
      </Loaded>
    </Section>
  )
}
