/* Interleave: the messages of all topics as MCAP message records, in one order of time. Compiled; plainly it is
`interleaved_plainly` in `_chunks.py`.

A recording has a hundred messages a simulated second, of a dozen topics. Each topic is read from its beginning to its
end, and so is what is written: that is as fast as copying can be. */

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>

#if PY_BIG_ENDIAN
#error "MCAP is little-endian, and so must the machine be; elsewhere the plain way is used."
#endif

#define MESSAGE 5     /* the opcode of message records */
#define HEAD 31       /* bytes ahead of what a message says */
#define UNCOUNTED 9   /* of these, those that the length of a record does not count: opcode, and length itself */

typedef struct {
    npy_uint16 channel;
    npy_uint32 next; /* which message is the next one to be written */
    Py_ssize_t count;
    const npy_int64 *log, *publish, *lengths;
    const char *data;
} Topic;

/* The numbers of a one-dimensional array of a type; NULL with an exception if it is none. */
static const void *
numbers_of(PyObject *given, int type, Py_ssize_t *count)
{
    PyArrayObject *array = (PyArrayObject *)given;
    if (!PyArray_Check(given) || PyArray_TYPE(array) != type || PyArray_NDIM(array) != 1
        || !PyArray_IS_C_CONTIGUOUS(array) || !PyArray_ISNOTSWAPPED(array)) {
        PyErr_SetString(PyExc_TypeError, "wanted flat arrays: int64 of times and lengths, uint8 of data");
        return NULL;
    }
    *count = PyArray_DIM(array, 0);
    return PyArray_DATA(array);
}

static int
set_topic(Topic *topic, PyObject *given, Py_ssize_t *bytes)
{
    PyObject *log, *publish, *lengths, *data;
    Py_ssize_t published, lengthened, size;
    if (!PyTuple_CheckExact(given)) {
        PyErr_SetString(PyExc_TypeError, "a topic is told as (channel, log, publish, lengths, data)");
        return -1;
    }
    if (!PyArg_ParseTuple(given, "HOOOO", &topic->channel, &log, &publish, &lengths, &data))
        return -1;
    if ((topic->log = numbers_of(log, NPY_INT64, &topic->count)) == NULL
        || (topic->publish = numbers_of(publish, NPY_INT64, &published)) == NULL
        || (topic->lengths = numbers_of(lengths, NPY_INT64, &lengthened)) == NULL
        || (topic->data = numbers_of(data, NPY_UINT8, &size)) == NULL)
        return -1;
    Py_ssize_t left = size;
    for (Py_ssize_t i = 0; i < lengthened && left >= 0; i++)
        left = topic->lengths[i] < 0 || topic->lengths[i] > left ? -1 : left - topic->lengths[i];
    if (published != topic->count || lengthened != topic->count || left != 0 || topic->count > NPY_MAX_UINT32) {
        PyErr_SetString(PyExc_ValueError, "the lengths of messages and what there is of them do not agree");
        return -1;
    }
    *bytes += size + HEAD * topic->count;
    return 0;
}

static char *
put_record(char *place, Topic *topic)
{
    Py_ssize_t length = topic->lengths[topic->next];
    npy_uint64 counted = length + HEAD - UNCOUNTED;
    place[0] = MESSAGE;
    memcpy(place + 1, &counted, 8);
    memcpy(place + 9, &topic->channel, 2);
    memcpy(place + 11, &topic->next, 4);
    memcpy(place + 15, &topic->log[topic->next], 8);
    memcpy(place + 23, &topic->publish[topic->next], 8);
    memcpy(place + HEAD, topic->data, length);
    topic->data += length;
    topic->next++;
    return place + HEAD + length;
}

/* The topic whose next message is the earliest, the first of them where several are; NULL when all are done. There are
a dozen topics, so to look at each takes less than any cleverer order would. */
static Topic *
earliest(Topic *topics, Py_ssize_t count)
{
    Topic *found = NULL;
    npy_int64 time = 0;
    for (Topic *topic = topics; topic < topics + count; topic++)
        if (topic->next < topic->count && (found == NULL || topic->log[topic->next] < time)) {
            found = topic;
            time = topic->log[topic->next];
        }
    return found;
}

static PyObject *
interleave(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    const char *preamble;
    Py_ssize_t before;
    PyObject *told, *all = NULL, *data = NULL, *channels = NULL, *times = NULL, *starts = NULL;
    if (!PyArg_ParseTuple(arguments, "y#O!:interleave", &preamble, &before, &PyTuple_Type, &told))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(told), bytes = before;
    Topic *topics = PyMem_Calloc(count ? count : 1, sizeof(Topic));
    if (topics == NULL)
        return PyErr_NoMemory();
    npy_intp messages = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (set_topic(&topics[i], PyTuple_GET_ITEM(told, i), &bytes) < 0)
            goto done;
        messages += topics[i].count;
    }
    npy_intp size = bytes, one_more = messages + 1;
    data = PyArray_SimpleNew(1, &size, NPY_UINT8);
    channels = PyArray_SimpleNew(1, &messages, NPY_UINT16);
    times = PyArray_SimpleNew(1, &messages, NPY_INT64);
    starts = PyArray_SimpleNew(1, &one_more, NPY_INT64);
    if (data == NULL || channels == NULL || times == NULL || starts == NULL)
        goto done;
    char *begin = PyArray_DATA((PyArrayObject *)data), *place = begin + before;
    npy_uint16 *channel = PyArray_DATA((PyArrayObject *)channels);
    npy_int64 *time = PyArray_DATA((PyArrayObject *)times), *start = PyArray_DATA((PyArrayObject *)starts);
    Py_BEGIN_ALLOW_THREADS;
    memcpy(begin, preamble, before);
    for (npy_intp i = 0; i < messages; i++) {
        Topic *topic = earliest(topics, count);
        channel[i] = topic->channel;
        time[i] = topic->log[topic->next];
        start[i] = place - begin;
        place = put_record(place, topic);
    }
    start[messages] = place - begin;
    Py_END_ALLOW_THREADS;
    all = PyTuple_Pack(4, data, channels, times, starts);
done:
    Py_XDECREF(data);
    Py_XDECREF(channels);
    Py_XDECREF(times);
    Py_XDECREF(starts);
    PyMem_Free(topics);
    return all;
}

static PyMethodDef methods[] = {
    {"interleave", interleave, METH_VARARGS,
     "interleave(preamble, topics): the bytes, and of each message channel, time and where its record begins (and ends)."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_interleave",
    .m_doc = "The messages of all topics as MCAP message records, in one order of time.",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC
PyInit__interleave(void)
{
    import_array();
    PyObject *made = PyModule_Create(&module);
    if (made != NULL && PyModule_AddStringConstant(made, "SOURCE", SOURCE) < 0)
        Py_CLEAR(made);
    return made;
}
