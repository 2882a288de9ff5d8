/* Tape: what is said on a topic, encoded as it is said. Compiled; plainly it is in `_tapes.py`.

A message is a tree of small objects. While it is being sent it is in the processor's nearest cache, and what stands
where in it follows from its type: so its values are brought straight to where CDR has them. To ask for them one by one
in Python, or later, takes some ten times as long, and this is done for every message of every run.

Wherever a value is not just what its type says (an array of another kind, a number of numpy, a number that is too
large), nothing is written, and the plain way decides: it encodes the message or says what is wrong with it. */

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <structmember.h>

#if PY_BIG_ENDIAN
#error "CDR is little-endian here, and so must the machine be; elsewhere the plain way is used."
#endif

#define DEPTH_MAX 32 /* of a description: types of messages that hold themselves cannot be told */

/* --- bytes that grow ----------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject *holder; /* a bytearray, as large as there is room; NULL while there is none */
    char *bytes;      /* its content */
    Py_ssize_t used, room;
} Buffer;

static int
grow(Buffer *buffer, Py_ssize_t more)
{
    Py_ssize_t room = buffer->room < 4096 ? 4096 : buffer->room * 2;
    if (more > PY_SSIZE_T_MAX / 4 - buffer->used) {
        PyErr_NoMemory();
        return -1;
    }
    while (room < buffer->used + more)
        room *= 2;
    if (buffer->holder == NULL) {
        buffer->holder = PyByteArray_FromStringAndSize(NULL, 0);
        if (buffer->holder == NULL)
            return -1;
    }
    if (PyByteArray_Resize(buffer->holder, room) < 0)
        return -1;
    buffer->bytes = PyByteArray_AS_STRING(buffer->holder);
    buffer->room = room;
    return 0;
}

static inline int
reserve(Buffer *buffer, Py_ssize_t more)
{
    return buffer->room - buffer->used >= more ? 0 : grow(buffer, more);
}

static inline void
append_int64(Buffer *buffer, npy_int64 value) /* where room was reserved */
{
    memcpy(buffer->bytes + buffer->used, &value, sizeof(value));
    buffer->used += sizeof(value);
}

/* The bytes, as a bytearray that is the caller's from now on. */
static PyObject *
hand_over(Buffer *buffer)
{
    PyObject *holder = buffer->holder;
    if (holder == NULL)
        holder = PyByteArray_FromStringAndSize(NULL, 0);
    else if (PyByteArray_Resize(holder, buffer->used) < 0)
        return NULL;
    buffer->holder = NULL;
    buffer->bytes = NULL;
    buffer->used = buffer->room = 0;
    return holder;
}

/* --- what a type says of its messages ------------------------------------------------------------------------------ */

typedef enum { NUMBER, TEXT, NUMBERS, ITEMS, STRUCT } What;

typedef struct Node {
    What what;
    char code;                     /* of a number: as in Python's module struct */
    char kind;                     /* the same as numpy has it: f, i, u or b */
    int size;                      /* bytes of a number */
    Py_ssize_t count;              /* items of an array; 0 is a sequence, of any length up to `most` */
    Py_ssize_t most;               /* items, or bytes of a text; -1: any number */
    PyTypeObject *type;            /* of a struct */
    Py_ssize_t fields;             /* how many a struct has */
    Py_ssize_t *offsets;           /* where in the object they are */
    struct Node *parts;            /* a node for each field, or the one of all items */
    PyObject *last;                /* the tuple that was written last for an array: most covariances never change */
    char *last_bytes;              /* and what was written */
} Node;

static void
clear_node(Node *node)
{
    if (node->parts != NULL)
        for (Py_ssize_t i = 0; i < (node->what == STRUCT ? node->fields : 1); i++)
            clear_node(&node->parts[i]);
    PyMem_Free(node->parts);
    PyMem_Free(node->offsets);
    PyMem_Free(node->last_bytes);
    Py_CLEAR(node->last);
    Py_CLEAR(node->type);
    node->parts = NULL;
    node->offsets = NULL;
    node->last_bytes = NULL;
}

static int
set_number(Node *node, int code)
{
    static const char codes[] = "?BbHhIiQqfd", kinds[] = "buiuiuiuiff";
    static const int sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    const char *found = code ? strchr(codes, code) : NULL;
    if (found == NULL) {
        PyErr_Format(PyExc_ValueError, "there is no number %c", code);
        return -1;
    }
    node->code = (char)code;
    node->kind = kinds[found - codes];
    node->size = sizes[found - codes];
    return 0;
}

static int set_node(Node *node, PyObject *told, int depth);

/* Where in an object its field is: classes of msgspec have slots. */
static Py_ssize_t
offset_of(PyTypeObject *type, PyObject *name)
{
    PyObject *slot = PyObject_GetAttr((PyObject *)type, name);
    if (slot == NULL)
        return -1;
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(slot, &PyMemberDescr_Type)) {
        PyMemberDef *member = ((PyMemberDescrObject *)slot)->d_member;
        if (member->type == T_OBJECT_EX)
            offset = member->offset;
    }
    Py_DECREF(slot);
    if (offset < 0)
        PyErr_Format(PyExc_TypeError, "%R has no slot %R", type, name);
    return offset;
}

static int
set_struct(Node *node, PyTypeObject *type, PyObject *fields, int depth)
{
    node->type = (PyTypeObject *)Py_NewRef(type);
    Py_ssize_t count = PyTuple_GET_SIZE(fields);
    node->parts = PyMem_Calloc(count ? count : 1, sizeof(Node));
    node->offsets = PyMem_Calloc(count ? count : 1, sizeof(Py_ssize_t));
    if (node->parts == NULL || node->offsets == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (; node->fields < count; node->fields++) {
        PyObject *name, *part, *field = PyTuple_GET_ITEM(fields, node->fields);
        if (!PyTuple_CheckExact(field)) {
            PyErr_SetString(PyExc_ValueError, "a field is told as its name and what it is");
            return -1;
        }
        if (!PyArg_ParseTuple(field, "UO", &name, &part))
            return -1;
        node->offsets[node->fields] = offset_of(type, name);
        if (node->offsets[node->fields] < 0)
            return -1;
        if (set_node(&node->parts[node->fields], part, depth + 1) < 0) {
            node->fields++; /* what was set of it is freed with the others */
            return -1;
        }
    }
    return 0;
}

/* From the tuples of `_tapes.described`. */
static int
set_node(Node *node, PyObject *told, int depth)
{
    int code;
    PyObject *one, *two;
    if (!PyTuple_CheckExact(told) || PyTuple_GET_SIZE(told) == 0 || depth > DEPTH_MAX) {
        PyErr_SetString(PyExc_ValueError, "no description of messages");
        return -1;
    }
    const char *what = PyUnicode_AsUTF8(PyTuple_GET_ITEM(told, 0));
    if (what == NULL)
        return -1;
    if (strcmp(what, "number") == 0) {
        node->what = NUMBER;
        return PyArg_ParseTuple(told, "sC", &what, &code) ? set_number(node, code) : -1;
    }
    if (strcmp(what, "text") == 0) {
        node->what = TEXT;
        return PyArg_ParseTuple(told, "sn", &what, &node->most) ? 0 : -1;
    }
    if (strcmp(what, "numbers") == 0) {
        node->what = NUMBERS;
        if (!PyArg_ParseTuple(told, "sCnn", &what, &code, &node->count, &node->most) || set_number(node, code) < 0)
            return -1;
        node->last_bytes = node->count ? PyMem_Malloc(node->count * node->size) : NULL;
        if (node->count && node->last_bytes == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        return 0;
    }
    if (strcmp(what, "items") == 0) {
        node->what = ITEMS;
        if (!PyArg_ParseTuple(told, "sOnn", &what, &one, &node->count, &node->most))
            return -1;
        node->parts = PyMem_Calloc(1, sizeof(Node));
        if (node->parts == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        return set_node(node->parts, one, depth + 1);
    }
    if (strcmp(what, "struct") == 0) {
        node->what = STRUCT;
        if (!PyArg_ParseTuple(told, "sO!O!", &what, &PyType_Type, &one, &PyTuple_Type, &two))
            return -1;
        return set_struct(node, (PyTypeObject *)one, two, depth);
    }
    PyErr_Format(PyExc_ValueError, "there is no %s", what);
    return -1;
}

/* --- values to bytes ----------------------------------------------------------------------------------------------- */

typedef enum { GOOD, DOUBT, ERROR } Said; /* DOUBT: the plain way decides; ERROR: an exception is set */

/* Zeros up to a multiple of the size, counted from behind the header of the message. */
static inline int
align(Buffer *out, Py_ssize_t begin, int size)
{
    Py_ssize_t gap = (begin - out->used) & (size - 1);
    if (reserve(out, gap + size) < 0)
        return -1;
    memset(out->bytes + out->used, 0, gap);
    out->used += gap;
    return 0;
}

static Said
put_count(Buffer *out, Py_ssize_t begin, Py_ssize_t count)
{
    if ((size_t)count > UINT32_MAX)
        return DOUBT;
    if (align(out, begin, 4) < 0)
        return ERROR;
    npy_uint32 value = (npy_uint32)count;
    memcpy(out->bytes + out->used, &value, 4);
    out->used += 4;
    return GOOD;
}

static Said
whole_number(char *place, const Node *node, PyObject *value)
{
    if (!PyLong_CheckExact(value))
        return DOUBT;
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow) {
        if (node->code != 'Q' || overflow < 0)
            return DOUBT;
        unsigned long long large = PyLong_AsUnsignedLongLong(value);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            return DOUBT;
        }
        memcpy(place, &large, 8);
        return GOOD;
    }
    if (node->kind == 'u') {
        if (whole < 0 || (node->size < 8 && whole >> (8 * node->size)))
            return DOUBT;
    }
    else if (node->size < 8) {
        long long limit = 1LL << (8 * node->size - 1);
        if (whole < -limit || whole >= limit)
            return DOUBT;
    }
    memcpy(place, &whole, node->size);
    return GOOD;
}

/* One number, where room was reserved for it. */
static inline Said
put_number(char *place, const Node *node, PyObject *value)
{
    if (node->kind == 'f') {
        double number;
        if (PyFloat_Check(value)) /* one of numpy's is one, too */
            number = PyFloat_AS_DOUBLE(value);
        else if (PyLong_CheckExact(value)) {
            number = PyLong_AsDouble(value);
            if (number == -1.0 && PyErr_Occurred()) {
                PyErr_Clear();
                return DOUBT;
            }
        }
        else
            return DOUBT;
        if (node->size == 8) {
            memcpy(place, &number, 8);
            return GOOD;
        }
        if (PyFloat_Pack4(number, place, 1) < 0) { /* too large */
            PyErr_Clear();
            return DOUBT;
        }
        return GOOD;
    }
    if (node->kind == 'b') {
        if (!PyBool_Check(value))
            return DOUBT;
        *place = value == Py_True;
        return GOOD;
    }
    return whole_number(place, node, value);
}

static Said
put_text(Buffer *out, Py_ssize_t begin, const Node *node, PyObject *value)
{
    Py_ssize_t size;
    if (!PyUnicode_CheckExact(value))
        return DOUBT;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);
    if (text == NULL) { /* half of a pair of surrogates */
        PyErr_Clear();
        return DOUBT;
    }
    if (node->most >= 0 && size > node->most)
        return DOUBT;
    Said said = put_count(out, begin, size + 1);
    if (said != GOOD)
        return said;
    if (reserve(out, size + 1) < 0)
        return ERROR;
    memcpy(out->bytes + out->used, text, size + 1); /* with the zero behind it */
    out->used += size + 1;
    return GOOD;
}

static inline int
is_many(PyObject *value)
{
    return PyTuple_CheckExact(value) || PyList_CheckExact(value);
}

/* How many there are must be as the type says; a sequence begins with that. */
static Said
put_length(Buffer *out, Py_ssize_t begin, const Node *node, Py_ssize_t length)
{
    if (node->count)
        return length == node->count ? GOOD : DOUBT;
    if (node->most >= 0 && length > node->most)
        return DOUBT;
    return put_count(out, begin, length);
}

static Said
put_array(Buffer *out, Py_ssize_t begin, const Node *node, PyArrayObject *array)
{
    PyArray_Descr *type = PyArray_DESCR(array);
    if (PyArray_NDIM(array) != 1 || !PyArray_IS_C_CONTIGUOUS(array) || !PyArray_ISNOTSWAPPED(array)
        || type->kind != node->kind || PyArray_ITEMSIZE(array) != node->size)
        return DOUBT;
    Py_ssize_t length = PyArray_DIM(array, 0), bytes = length * node->size;
    Said said = put_length(out, begin, node, length);
    if (said != GOOD || length == 0)
        return said;
    if (align(out, begin, node->size) < 0 || reserve(out, bytes) < 0)
        return ERROR;
    memcpy(out->bytes + out->used, PyArray_DATA(array), bytes);
    out->used += bytes;
    return GOOD;
}

static Said
put_numbers(Buffer *out, Py_ssize_t begin, Node *node, PyObject *value)
{
    if (PyArray_CheckExact(value))
        return put_array(out, begin, node, (PyArrayObject *)value);
    if (!is_many(value))
        return DOUBT;
    Py_ssize_t length = PySequence_Fast_GET_SIZE(value), bytes = length * node->size;
    Said said = put_length(out, begin, node, length);
    if (said != GOOD || length == 0)
        return said;
    if (align(out, begin, node->size) < 0 || reserve(out, bytes) < 0)
        return ERROR;
    char *place = out->bytes + out->used;
    if (value == node->last) { /* a tuple of numbers is the same for ever */
        memcpy(place, node->last_bytes, bytes);
        out->used += bytes;
        return GOOD;
    }
    PyObject **items = PySequence_Fast_ITEMS(value);
    for (Py_ssize_t i = 0; i < length; i++) {
        said = put_number(place + i * node->size, node, items[i]);
        if (said != GOOD)
            return said;
    }
    out->used += bytes;
    if (node->count && PyTuple_CheckExact(value)) {
        memcpy(node->last_bytes, place, bytes);
        Py_XSETREF(node->last, Py_NewRef(value));
    }
    return GOOD;
}

static Said put_value(Buffer *out, Py_ssize_t begin, Node *node, PyObject *value);

static Said
put_items(Buffer *out, Py_ssize_t begin, Node *node, PyObject *value)
{
    if (!is_many(value))
        return DOUBT;
    Py_ssize_t length = PySequence_Fast_GET_SIZE(value);
    Said said = put_length(out, begin, node, length);
    PyObject **items = PySequence_Fast_ITEMS(value);
    for (Py_ssize_t i = 0; said == GOOD && i < length; i++)
        said = put_value(out, begin, node->parts, items[i]);
    return said;
}

static Said
put_struct(Buffer *out, Py_ssize_t begin, Node *node, PyObject *message)
{
    if (!Py_IS_TYPE(message, node->type))
        return DOUBT;
    for (Py_ssize_t i = 0; i < node->fields; i++) {
        Node *part = &node->parts[i];
        PyObject *value = *(PyObject **)((char *)message + node->offsets[i]);
        Said said;
        if (value == NULL)
            return DOUBT;
        if (part->what == NUMBER) { /* what most fields are: without another call */
            if (align(out, begin, part->size) < 0)
                return ERROR;
            said = put_number(out->bytes + out->used, part, value);
            out->used += part->size;
        }
        else
            said = put_value(out, begin, part, value);
        if (said != GOOD)
            return said;
    }
    return GOOD;
}

static Said
put_value(Buffer *out, Py_ssize_t begin, Node *node, PyObject *value)
{
    Said said;
    switch (node->what) {
    case STRUCT:
        return put_struct(out, begin, node, value);
    case TEXT:
        return put_text(out, begin, node, value);
    case NUMBERS:
        return put_numbers(out, begin, node, value);
    case ITEMS:
        return put_items(out, begin, node, value);
    case NUMBER:
        if (align(out, begin, node->size) < 0)
            return ERROR;
        said = put_number(out->bytes + out->used, node, value);
        out->used += node->size;
        return said;
    }
    Py_UNREACHABLE();
}

/* A whole message; where it cannot be written plainly, nothing is. */
static Said
put_message(Buffer *out, Node *node, PyObject *message)
{
    static const char header[] = {0, 1, 0, 0};
    Py_ssize_t start = out->used;
    if (reserve(out, sizeof(header)) < 0)
        return ERROR;
    memcpy(out->bytes + start, header, sizeof(header));
    out->used += sizeof(header);
    Said said = put_value(out, out->used, node, message);
    if (said != GOOD)
        out->used = start;
    return said;
}

/* --- Program: a type, read once ------------------------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    Node root;
} Program;

static PyObject *
program_new(PyTypeObject *type, PyObject *given, PyObject *named)
{
    PyObject *told;
    if (named != NULL && PyDict_GET_SIZE(named)) {
        PyErr_SetString(PyExc_TypeError, "Program takes one description");
        return NULL;
    }
    if (!PyArg_ParseTuple(given, "O:Program", &told))
        return NULL;
    Program *self = (Program *)type->tp_alloc(type, 0);
    if (self != NULL && set_node(&self->root, told, 0) < 0)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void
program_dealloc(Program *self)
{
    clear_node(&self->root);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject ProgramType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stressfield.trace._tape.Program",
    .tp_doc = "What a type says of its messages, from its description.",
    .tp_basicsize = sizeof(Program),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = program_new,
    .tp_dealloc = (destructor)program_dealloc,
};

/* --- Tape ---------------------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    vectorcallfunc called;
    Program *program;    /* NULL until the type is known */
    PyObject *otherwise; /* encodes what is not plainly a message of the type */
    PyObject *said;      /* a list of the messages themselves, if they are to be kept; else NULL */
    Buffer sent, arrived, lengths, data;
} Tape;

/* How many bytes the plain way gave; negative where it raised. */
static Py_ssize_t
append_plainly(Tape *self, PyObject *message)
{
    PyObject *encoded = PyObject_CallOneArg(self->otherwise, message);
    if (encoded == NULL)
        return -1;
    Py_ssize_t size = -1;
    if (!PyBytes_Check(encoded))
        PyErr_SetString(PyExc_TypeError, "a message is encoded as bytes");
    else if (reserve(&self->data, PyBytes_GET_SIZE(encoded)) == 0) {
        size = PyBytes_GET_SIZE(encoded);
        memcpy(self->data.bytes + self->data.used, PyBytes_AS_STRING(encoded), size);
        self->data.used += size;
    }
    Py_DECREF(encoded);
    return size;
}

static PyObject *
tape_call(PyObject *callable, PyObject *const *given, size_t given_count, PyObject *names)
{
    Tape *self = (Tape *)callable;
    if (PyVectorcall_NARGS(given_count) != 1 || names != NULL || !PyTuple_CheckExact(given[0])
        || PyTuple_GET_SIZE(given[0]) != 3) {
        PyErr_SetString(PyExc_TypeError, "wanted (sent_ns, arrived_ns, message)");
        return NULL;
    }
    long long sent = PyLong_AsLongLong(PyTuple_GET_ITEM(given[0], 0));
    if (sent == -1 && PyErr_Occurred())
        return NULL;
    long long arrived = PyLong_AsLongLong(PyTuple_GET_ITEM(given[0], 1));
    if (arrived == -1 && PyErr_Occurred())
        return NULL;
    PyObject *message = PyTuple_GET_ITEM(given[0], 2);
    Py_ssize_t size = self->data.used;
    Said said = self->program == NULL ? DOUBT : put_message(&self->data, &self->program->root, message);
    if (said == ERROR)
        return NULL;
    size = said == DOUBT ? append_plainly(self, message) : self->data.used - size;
    if (size < 0)
        return NULL;
    if (reserve(&self->sent, 8) < 0 || reserve(&self->arrived, 8) < 0 || reserve(&self->lengths, 8) < 0
        || (self->said != NULL && PyList_Append(self->said, message) < 0)) {
        self->data.used -= size; /* as if it had not been said */
        return NULL;
    }
    append_int64(&self->sent, sent);
    append_int64(&self->arrived, arrived);
    append_int64(&self->lengths, size);
    Py_RETURN_NONE;
}

static PyObject *
tape_new(PyTypeObject *type, PyObject *given, PyObject *named)
{
    PyObject *otherwise;
    if (named != NULL && PyDict_GET_SIZE(named)) {
        PyErr_SetString(PyExc_TypeError, "Tape takes one function");
        return NULL;
    }
    if (!PyArg_ParseTuple(given, "O:Tape", &otherwise))
        return NULL;
    Tape *self = (Tape *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->called = tape_call;
    self->otherwise = Py_NewRef(otherwise);
    return (PyObject *)self;
}

static int
tape_traverse(Tape *self, visitproc visit, void *arg)
{
    Py_VISIT(self->program);
    Py_VISIT(self->otherwise);
    Py_VISIT(self->said);
    return 0;
}

static int
tape_clear(Tape *self)
{
    Py_CLEAR(self->program);
    Py_CLEAR(self->otherwise);
    Py_CLEAR(self->said);
    Py_CLEAR(self->sent.holder);
    Py_CLEAR(self->arrived.holder);
    Py_CLEAR(self->lengths.holder);
    Py_CLEAR(self->data.holder);
    return 0;
}

static void
tape_dealloc(Tape *self)
{
    PyObject_GC_UnTrack(self);
    tape_clear(self);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *
tape_begin(Tape *self, PyObject *given)
{
    PyObject *program, *said;
    if (!PyArg_ParseTuple(given, "O!O:begin", &ProgramType, &program, &said))
        return NULL;
    if (said != Py_None && !PyList_CheckExact(said)) {
        PyErr_SetString(PyExc_TypeError, "messages are kept in a list");
        return NULL;
    }
    Py_XSETREF(self->program, (Program *)Py_NewRef(program));
    Py_XSETREF(self->said, said == Py_None ? NULL : Py_NewRef(said));
    Py_RETURN_NONE;
}

static PyObject *
tape_take(Tape *self, PyObject *Py_UNUSED(none))
{
    PyObject *sent = hand_over(&self->sent), *arrived = hand_over(&self->arrived);
    PyObject *lengths = hand_over(&self->lengths), *data = hand_over(&self->data);
    PyObject *all = sent && arrived && lengths && data ? PyTuple_Pack(4, sent, arrived, lengths, data) : NULL;
    Py_XDECREF(sent);
    Py_XDECREF(arrived);
    Py_XDECREF(lengths);
    Py_XDECREF(data);
    Py_CLEAR(self->program);
    Py_CLEAR(self->said);
    return all;
}

static Py_ssize_t
tape_length(Tape *self)
{
    return self->lengths.used / 8;
}

static PySequenceMethods tape_as_sequence = {.sq_length = (lenfunc)tape_length};

static PyMethodDef tape_methods[] = {
    {"begin", (PyCFunction)tape_begin, METH_VARARGS, "Have the type of the messages, and a list that keeps them, or None."},
    {"take", (PyCFunction)tape_take, METH_NOARGS, "Times of sending and arrival, lengths (64 bits each) and bytes."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject TapeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stressfield.trace._tape.Tape",
    .tp_doc = "Takes (sent_ns, arrived_ns, message) when called, and encodes the message.",
    .tp_basicsize = sizeof(Tape),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Tape, called),
    .tp_call = PyVectorcall_Call,
    .tp_new = tape_new,
    .tp_dealloc = (destructor)tape_dealloc,
    .tp_traverse = (traverseproc)tape_traverse,
    .tp_clear = (inquiry)tape_clear,
    .tp_as_sequence = &tape_as_sequence,
    .tp_methods = tape_methods,
};

static struct PyModuleDef tape_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_tape",
    .m_doc = "What is said on a topic, encoded as it is said.",
    .m_size = -1,
};

PyMODINIT_FUNC
PyInit__tape(void)
{
    import_array();
    if (PyType_Ready(&ProgramType) < 0 || PyType_Ready(&TapeType) < 0)
        return NULL;
    PyObject *module = PyModule_Create(&tape_module);
    if (module == NULL || PyModule_AddObjectRef(module, "Program", (PyObject *)&ProgramType) < 0
        || PyModule_AddObjectRef(module, "Tape", (PyObject *)&TapeType) < 0
        || PyModule_AddStringConstant(module, "SOURCE", SOURCE) < 0) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
