import { Alert, Button, Stack, Text } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

/** The file of a page could not be loaded. */
export class PageFileError extends Error {
  override readonly name = 'PageFileError'
}

/** In place of a page that cannot be shown; the menu stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [isTrying, setIsTrying] = useState(false)
  const isFile = error instanceof PageFileError
  const again = async () => {
    setIsTrying(true)
    // The router loads the file of a page once; a component says itself how it is loaded again.
    for (const { routeId } of router.state.matches) {
      const component = router.routesById[routeId as keyof typeof router.routesById]?.options.component
      await (component as { preload?: () => Promise<unknown> } | undefined)?.preload?.()
    }
    setIsTrying(false)
    reset()
  }
  return (
    <Alert color="red" role="alert" title={isFile ? 'This page could not be loaded' : 'This page has a defect'}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{isFile ? 'The service may be unreachable. Nothing was changed.' : String(error)}</Text>
        <Button size="xs" variant="default" loading={isTrying} onClick={() => void again()}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
