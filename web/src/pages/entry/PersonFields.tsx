import { fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'

export interface Person {
  name: string
  email: string
  password: string
}

/** What a new member says of themselves; with `email` the address is settled. */
export function PersonFields({ error, email = null }: { error: unknown; email?: string | null }) {
  return (
    <>
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        maxLength={100}
        error={fieldError(error, 'name')}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email ?? ''}
        readOnly={email !== null}
        hint={email === null ? undefined : 'The invitation is for this address.'}
        error={fieldError(error, 'email')}
      />
      <NewPasswordField error={fieldError(error, 'password')} />
    </>
  )
}

/** What was entered. */
export function personIn(form: HTMLFormElement): Person {
  const fields = new FormData(form)
  const field = (name: string) => String(fields.get(name))
  return { name: field('name'), email: field('email'), password: field('password') }
}
