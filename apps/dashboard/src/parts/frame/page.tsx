import { Alert, Box, Button, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer, ApiError } from '../../api/client.ts'
import { textOf, titleOf } from '../../api/refusal-text.ts'
import { refusalOf } from '../../api/use-api.ts'
import { LightGroup, LightText } from '../light.tsx'
import { Printed } from '../tables/printed.tsx'
import { Views } from '../tables/views.tsx'
import { Time } from '../values.tsx'

interface PageProps {
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
  readonly description?: string
  /** The page has lists with filters, which one may save. */
  readonly hasFilters?: boolean
}

export function Page({ title, description, actions, hasFilters = false, children }: PageProps) {
  useDocumentTitle(`${title} · Weir`)
  return (
    <Stack gap="lg" className="page">
      <Printed />
      <LightGroup justify="space-between" align="flex-end" gap="sm">
        <div>
          <Title order={1} size="h2">
            {title}
          </Title>
          {description && (
            <LightText c="dimmed" size="sm">
              {description}
            </LightText>
          )}
        </div>
        <LightGroup gap="xs" className="no-print">
          <Views always={hasFilters} />
          {actions}
        </LightGroup>
      </LightGroup>
      {children}
    </Stack>
  )
}

/** What went wrong, its code, and the id to name when asking for help. */
export function Problem({ error, retry }: { readonly error: ApiError; readonly retry?: (() => void) | undefined }) {
  const isRefused = error.status === 403
  return (
    <Alert color={isRefused ? 'gray' : 'red'} title={titleOf(error)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{textOf(error)}</Text>
        <Text size="xs" c="dimmed">
          {error.code}
          {error.requestId && (
            <>
              , request <span className="figures">{error.requestId}</span>
            </>
          )}
        </Text>
        {retry && !isRefused && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Says that what is shown was read earlier, and that it could not be read again. */
export function Outdated({ query }: { readonly query: UseQueryResult<unknown, ApiError> }) {
  const refusal = refusalOf(query)
  if (refusal === null || query.data === undefined || query.isPlaceholderData) return null
  return (
    <Alert color="yellow" p="xs" role="status">
      <Text size="sm">
        Could not be updated: {titleOf(refusal).replace(/^[A-Z]/, (first) => first.toLowerCase())}. As of{' '}
        <Time iso={new Date(query.dataUpdatedAt).toISOString()} />.
      </Text>
    </Alert>
  )
}

/** A part of a page from one read: its skeleton has the height of its content, so nothing moves when it arrives. */
export function Loaded<T>({
  query,
  height,
  children,
}: {
  readonly query: UseQueryResult<Answer<T>, ApiError>
  readonly height: number
  readonly children: (data: T, answer: Answer<T>) => ReactNode
}) {
  const refusal = refusalOf(query)
  if (query.data !== undefined)
    return (
      <>
        <Outdated query={query} />
        {children(query.data.data, query.data)}
      </>
    )
  if (refusal) return <Problem error={refusal} retry={query.isFetching ? undefined : () => void query.refetch()} />
  return <Skeleton height={height} role="status" aria-label="Loading" />
}

/** Nothing here yet: what would be here, and the next step. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md">
      <Text fw={600} ta="center">
        {title}
      </Text>
      {children && (
        <Text c="dimmed" size="sm" ta="center" maw={460}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}

export function Section({
  title,
  actions,
  children,
  pad = true,
}: {
  readonly title?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly pad?: boolean
}) {
  return (
    <Card withBorder padding={0} component="section" aria-label={title}>
      {title && (
        <LightGroup justify="space-between" className="section-head" gap="xs">
          <Title order={2} size="h5">
            {title}
          </Title>
          {actions && (
            <LightGroup gap="xs" className="no-print">
              {actions}
            </LightGroup>
          )}
        </LightGroup>
      )}
      <Box p={pad ? 'md' : 0} pt={pad && title ? 4 : undefined}>
        {children}
      </Box>
    </Card>
  )
}

export function Stat({
  label,
  value,
  note,
}: {
  readonly label: string
  readonly value: ReactNode
  readonly note?: ReactNode
}) {
  return (
    <Card withBorder padding="md">
      <LightText size="xs" c="dimmed">
        {label}
      </LightText>
      <LightText className="figures stat" as="div">
        {value}
      </LightText>
      <LightText size="xs" c="dimmed" as="div" className="stat-note">
        {note}
      </LightText>
    </Card>
  )
}
